package dev.stint.simulation;

import dev.stint.cluster.ClusterException;
import dev.stint.controllers.job.Claim;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.engine.EngineOptions;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.KubeObject;
import dev.stint.store.StoreOptions;
import dev.stint.store.StoreOptions.Durability;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Plays a few random Jobs from their creation to their end, with faults meanwhile. */
final class SeededRun implements SimulatedWorld {
  /** Nobody waits for longer before a request is tried again. */
  private static final Duration REST = Duration.ofMinutes(2);

  /** Long after the last fault nobody does, since only a conflict makes requests fail. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  private static final Duration LONGEST = Duration.ofDays(7);

  /** Time flies while nothing but timers that recur is left. */
  private static final Duration LONGEST_WITH_TIMERS = Duration.ofDays(700);

  /** Some ten times as many as the longest world takes. */
  private static final int MOST_STEPS = 50_000;

  private static final List<Gate> GATES =
      List.of(
          Gate.JobBackoffLimitPerIndex,
          Gate.JobManagedBy,
          Gate.JobPodFailurePolicy,
          Gate.JobPodReplacementPolicy,
          Gate.JobSuccessPolicy);

  private final Random random;
  private final JobControllerOptions jobs;
  private final RandomJobs randomJobs;
  private final SimulatedSystem system;
  private final LoggedErrors faults = new LoggedErrors();
  private final FaultCounts happened = new FaultCounts();
  private final EventTrace trace;
  private final Laws laws;
  private final SimulatedUsers users;
  private final Random dice;
  private final boolean housekeeping;
  private final double lossRate;
  private final boolean lags;
  private final boolean togglesGates;
  private final Neighbours neighbours;
  private final int troubleEvery;
  private final int userEvery;
  private boolean troubled = true;

  /** Since when nothing fails any more. */
  private Instant calmSince = Instant.MAX;

  private boolean diskFull;
  private int steps;
  private int lives;

  /** Since when no task has waited and nothing has changed; null if that is not so. */
  private @Nullable Instant idleSince;

  SeededRun(long seed) {
    this(
        seed,
        happened -> seed < LoosePods.FIRST_SEED ? Neighbours.NONE : new LoosePods(seed, happened));
  }

  /**
   * @param beside creates what else is in the world; it counts what happens
   */
  SeededRun(long seed, Function<FaultCounts, Neighbours> beside) {
    neighbours = beside.apply(happened);
    random = new Random(seed);
    jobs = jobOptions();
    housekeeping = random.nextInt(4) == 0;
    randomJobs = new RandomJobs(new Random(random.nextLong()), new RandomOptions(seed));
    Laws[] later = new Laws[1];
    system =
        new SimulatedSystem(
            random.nextLong(),
            options(),
            randomJobs.script(),
            event -> {
              idleSince = null;
              later[0].accept(event);
            });
    if (neighbours != Neighbours.NONE) {
      system.runAlso(neighbours::start);
    }
    trace = new EventTrace(system.time());
    laws = new Laws(jobs, system.time(), trace, neighbours);
    later[0] = laws;
    laws.history.collectsGarbage = housekeeping;
    neighbours.know(laws.history);
    users = new SimulatedUsers(new Random(random.nextLong()), laws.history, system.time());
    dice = new Random(random.nextLong());
    lossRate = pick(0, 0, 1, 5) / 100.0;
    lags = random.nextInt(3) == 0;
    togglesGates = random.nextInt(4) == 0;
    system.luck(this::luck);
    system.answers(laws.watches::answered);
    troubleEvery = pick(20, 100, 400, 1_000_000_000);
    userEvery = pick(10, 40, 200, 1_000_000_000);
  }

  private int pick(int... values) {
    return values[random.nextInt(values.length)];
  }

  private JobControllerOptions jobOptions() {
    ExponentialBackoff backoff =
        new ExponentialBackoff(Duration.ofSeconds(pick(1, 10)), Duration.ofSeconds(pick(10, 600)));
    return new JobControllerOptions(
        Claim.BUILT_IN,
        job -> true,
        FeatureGates.DEFAULT,
        new EngineOptions(backoff, pick(1, 2, 5, 500), pick(1, 3, 500)),
        Duration.ofMillis(pick(0, 1000)),
        pick(1, 64));
  }

  private SimulatedSystem.Options options() {
    return new SimulatedSystem.Options(
        new StoreOptions(pick(16, 64, 1 << 16), 64L << 20, Durability.STRICT),
        jobs,
        pick(2, 5, 110),
        housekeeping,
        random.nextBoolean(),
        pick(0, 2, 20) / 100.0,
        Duration.ofMillis(pick(1, 10, 200)));
  }

  @Override
  public void play() {
    try (faults) {
      int troubles = pick(200, 1000, 4000);
      int count = random.nextInt(1, 4);
      ensureUp();
      neighbours.begin(system.cluster());
      for (int i = 0; i < count; i++) {
        create(adapted(randomJobs.job("j" + i)));
      }
      system.killOnAppend(_ -> steps < troubles && diesWhileWriting());
      while (steps < troubles && step() && !rests()) {
        trouble();
      }
      settle(random.nextBoolean());
      settle(true);
    } catch (AssertionError | RuntimeException wrong) {
      throw new AssertionError(wrong.getMessage() + "\n" + trace, wrong);
    }
  }

  private boolean diesWhileWriting() {
    boolean dies = random.nextInt(troubleEvery) == 0;
    if (dies) {
      happened.add("the process dies while it writes");
    }
    return dies;
  }

  private KubeObject adapted(KubeObject job) {
    ObjectNode tree = job.copy();
    neighbours.adapt(tree);
    return KubeObject.of(tree);
  }

  /** Creates a Job as users do: again, until it is durable. */
  private void create(KubeObject job) {
    int known = laws.history.jobs.size();
    while (laws.history.jobs.size() == known) {
      ensureUp();
      system.cluster().create(job);
      for (int i = 0; i < 200 && laws.history.jobs.size() == known; i++) {
        step();
      }
    }
  }

  private void ensureUp() {
    if (!system.up()) {
      trace.add("a process starts");
      diskFull = false;
      FeatureGates gates = gates();
      system.start(gates);
      laws.history.gates(gates);
      int life = ++lives;
      laws.watches.listen(system.cluster(), () -> system.up() && lives == life);
    }
  }

  /** Some worlds turn feature gates on and off between processes. */
  private FeatureGates gates() {
    FeatureGates before = laws.history.gates();
    if (!togglesGates || random.nextBoolean()) {
      return before;
    }
    Gate gate = GATES.get(random.nextInt(GATES.size()));
    happened.add("a feature gate is turned on or off");
    trace.add(gate + " is turned " + (before.has(gate) ? "off" : "on"));
    return before.with(gate, !before.has(gate));
  }

  private RequestDelivery luck(boolean creates) {
    if (!troubled || dice.nextDouble() >= lossRate) {
      return RequestDelivery.GOOD;
    }
    if (dice.nextBoolean()) {
      happened.add("a request is lost");
      return RequestDelivery.REQUEST_LOST;
    }
    happened.add("an answer is lost");
    if (lags && creates) { // A fault that loses an answer may also delay the watch events.
      system.stallWatches(Duration.ofMillis(dice.nextInt(1, 5000)));
    }
    return RequestDelivery.ANSWER_LOST;
  }

  private boolean step() {
    steps++;
    if (!system.up() && (steps > 4000 || random.nextInt(5) == 0)) {
      ensureUp();
    }
    if (steps > MOST_STEPS
        || system.time().instant().isAfter(SimulatedSystem.START.plus(longest()))) {
      throw new AssertionError("the world never comes to rest");
    }
    boolean stepped = system.step();
    neighbours.hold();
    laws.hold();
    faults.hold();
    return stepped || !system.up();
  }

  private Duration longest() {
    return neighbours.quiet() == null ? LONGEST : LONGEST_WITH_TIMERS;
  }

  private void trouble() {
    if (random.nextInt(troubleEvery) == 0) {
      fault();
    }
    if (lags && random.nextInt(30) == 0) {
      happened.add("watches stall");
      system.stallWatches(Duration.ofMillis(random.nextInt(1, 2000)));
    }
    if (system.nodeLost() && system.up()) {
      nodeIsLost();
    }
    if (system.up() && random.nextInt(userEvery) == 0) {
      users.act(system.cluster());
    }
    if (system.up()) {
      neighbours.act(system.cluster());
    }
  }

  /** Gives up its pods one after the other, until the node is back. */
  private void nodeIsLost() {
    if (random.nextInt(30) == 0) {
      users.giveUp(system.cluster());
    } else if (random.nextInt(300) == 0) {
      trace.add("the node is back");
      system.findNode();
    }
  }

  private void happens(String fault) {
    trace.add(fault);
    happened.add(fault);
  }

  private void fault() {
    switch (random.nextInt(11)) {
      case 0, 1, 2 -> {
        happens("the process dies");
        system.kill();
      }
      case 3 -> {
        happens("the machine dies");
        system.losePower();
      }
      case 4 -> {
        happens("the disk is full");
        diskFull = true;
        system.fillDisk();
      }
      case 5 -> {
        happens("the node is lost");
        system.loseNode();
      }
      case 6, 7 -> {
        happens("watches stall");
        system.stallWatches(Duration.ofMillis(random.nextInt(1, 30_000)));
      }
      default -> {
        happens("watches end");
        system.breakWatches(
            random.nextBoolean()
                ? null
                : new ClusterException(ClusterException.Reason.GONE, "too old"));
      }
    }
  }

  /** Ends all faults: then everything must finish, even without a new process. */
  private void settle(boolean anew) {
    trace.add("no more trouble");
    troubled = false;
    calmSince = system.time().instant();
    if (anew || diskFull) {
      system.kill();
    }
    if (system.nodeLost()) {
      system.findNode();
    }
    do {
      ensureUp();
      idleSince = null;
      do {
        if (system.up()) {
          neighbours.calm(system.cluster());
        }
      } while (stepAfterTrouble() && !rests());
    } while (users.letGo(system.cluster()));
    laws.checkEnd(housekeeping);
    neighbours.checkEnd();
  }

  /** Does a step, and checks the laws of rest if nothing was done for long before it. */
  private boolean stepAfterTrouble() {
    boolean idle = system.up() && system.isIdle();
    Instant before = system.time().instant();
    boolean calm = before.isAfter(calmSince.plus(REST));
    if (idle && calm && !system.time().hasDueTimer()) {
      neighbours.onIdle(system.cluster());
    }
    idle &= system.isIdle();
    boolean stepped = step();
    Instant after = system.time().instant();
    Duration patience = calm ? jobs.syncBatchPeriod().plus(RETRY) : REST;
    boolean rests = idle && neighbours.quiet() == null;
    if (rests && Duration.between(before, after).compareTo(patience) > 0) {
      laws.checkRest(after);
    }
    return stepped;
  }

  /** True if only timers have been left for as long as those may wait that matter. */
  private boolean rests() {
    Duration quiet = neighbours.quiet();
    if (quiet == null || !system.isIdle()) {
      return false;
    }
    Instant now = system.time().instant();
    idleSince = Objects.requireNonNullElse(idleSince, now);
    return now.isAfter(idleSince.plus(quiet));
  }

  long digest() {
    return trace.digest();
  }

  int steps() {
    return steps;
  }

  @Override
  public PlayedWorld played() {
    return new PlayedWorld(
        steps, Duration.between(SimulatedSystem.START, system.time().instant()), happened.read());
  }
}
