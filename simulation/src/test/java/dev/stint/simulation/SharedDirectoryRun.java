package dev.stint.simulation;

import dev.stint.cluster.time.Lifetime;
import dev.stint.cluster.time.Scheduler;
import dev.stint.cluster.time.SimulatedTime;
import dev.stint.controllers.job.Claim;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.engine.EngineOptions;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.FeatureGates;
import dev.stint.model.KubeObject;
import dev.stint.store.StoreOptions;
import dev.stint.store.StoreOptions.Durability;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Plays up to four commands that share one data directory, each with Jobs of its own: they come and
 * go, die, stand still, lose their connections, and take the directory over from each other and
 * from an {@code up}. All laws of Jobs hold, and those of {@link SharedDirectoryLaws}; in the end
 * every command that lives ends with the outcome of its Jobs.
 */
final class SharedDirectoryRun implements SimulatedWorld {
  private static final int MOST_COMMANDS = 4;

  /** Some ten times as many as the longest world takes. */
  private static final int MOST_STEPS = 400_000;

  private static final Duration LONGEST = Duration.ofDays(2);

  private final Random random;
  private final SimulatedTime time = new SimulatedTime(SimulatedSystem.START);
  private final Lifetime world = new Lifetime();
  private final Scheduler scheduler;
  private final EventTrace trace = new EventTrace(time);
  private final LoggedErrors faults = new LoggedErrors();
  private final FaultCounts happened = new FaultCounts();
  private final SharedDirectoryLaws sharing = new SharedDirectoryLaws(time::instant, this::isToEnd);
  private final WriteLaws writes;
  private final List<Stored> stored = new ArrayList<>();
  private final Laws laws;
  private final SimulatedUsers users;
  private final SimulatedDirectory directory;

  /** The Jobs of each command that a user gives, again and again. */
  private final List<List<KubeObject>> given = new ArrayList<>();

  private final List<SimulatedCommand> commands = new ArrayList<>();
  private final List<WatchLaws> watches = new ArrayList<>();
  private final int noteEvery;
  private final int troubles;
  private final int troubleEvery;
  private final int userEvery;
  private @Nullable SimulatedServer server;
  private boolean troubled = true;
  private int names;
  private int steps;

  SharedDirectoryRun(long seed) {
    random = new Random(seed);
    scheduler =
        new Scheduler(new Random(random.nextLong()), time, 0, Duration.ofMillis(pick(1, 4, 4)));
    JobControllerOptions jobs = jobOptions();
    RandomJobs randomJobs = new RandomJobs(new Random(random.nextLong()), new RandomOptions(seed));
    laws = new Laws(jobs, time, trace, new Beside());
    SimulatedDisk disk = new SimulatedDisk(laws);
    directory =
        new SimulatedDirectory(
            time,
            scheduler,
            disk,
            jobs,
            new StoreOptions(pick(16, 64, 1 << 16), 64L << 20, Durability.STRICT),
            pick(2, 5, 110),
            randomJobs.script(),
            new Random(random.nextLong()));
    users = new SimulatedUsers(new Random(random.nextLong()), laws.history, time);
    writes = new WriteLaws(new Random(random.nextLong()));
    noteEvery = pick(20, 100);
    troubleEvery = pick(50, 150, 500);
    userEvery = pick(100, 400, 1_000_000_000);
    troubles = pick(500, 1500, 4000);
    disk.cutOff(_ -> troubled && random.nextInt(20 * troubleEvery) == 0 && dies());
    giveJobs(randomJobs);
  }

  private void giveJobs(RandomJobs randomJobs) {
    int count = random.nextInt(1, MOST_COMMANDS + 1);
    for (int i = 0, next = 0; i < count; i++) {
      List<KubeObject> jobs = new ArrayList<>();
      for (int j = random.nextInt(1, 3); j > 0; j--) {
        jobs.add(ours(randomJobs.job("j" + next++)));
      }
      given.add(jobs);
    }
  }

  /** Leaves out another manager, whose Jobs no command would see end, and what is the default. */
  private static KubeObject ours(KubeObject job) {
    ObjectNode tree = job.copy();
    ObjectNode spec = tree.withObjectProperty("spec");
    spec.remove("managedBy");
    if (!spec.path("suspend").asBoolean()) {
      spec.remove("suspend");
    }
    return KubeObject.of(tree);
  }

  private int pick(int... values) {
    return values[random.nextInt(values.length)];
  }

  private JobControllerOptions jobOptions() {
    ExponentialBackoff backoff =
        new ExponentialBackoff(Duration.ofSeconds(pick(1, 10)), Duration.ofSeconds(pick(10, 60)));
    return new JobControllerOptions(
        Claim.BUILT_IN,
        job -> true,
        FeatureGates.DEFAULT,
        new EngineOptions(backoff, pick(1, 5, 500), pick(3, 500)),
        Duration.ofMillis(pick(0, 1000)),
        pick(1, 64));
  }

  /** Hands durable changes to the laws of this world. */
  private final class Beside implements Neighbours {
    @Override
    public void changed(@Nullable KubeObject before, @Nullable KubeObject after) {
      noteClaims();
      sharing.note(before, after);
      if (!directory.isRecovering()) {
        sharing.changed(before, after);
      }
      writes.changed(before, after);
    }

    @Override
    public void stored(KubeObject object, long revision, boolean gone) {
      Stored change = new Stored(object, revision, gone);
      stored.add(change);
      watches.forEach(change::tell);
    }
  }

  /** A durable change, for the laws of watches. */
  private record Stored(KubeObject object, long revision, boolean gone) {
    void tell(WatchLaws watch) {
      watch.changed(object, revision, gone);
    }
  }

  /** True for a pod whose Job or machine is to end, or which users have deleted. */
  private boolean isToEnd(KubeObject pod) {
    History.Job job = laws.history.jobOf(pod);
    return job == null
        || job.gone
        || job.object.deletionTimestamp() != null
        || job.spec.suspend()
        || job.decided()
        || laws.history.deletedByOthers.contains(pod.uid());
  }

  /** Notes which Jobs are worked on by right now. */
  private void noteClaims() {
    SimulatedHolder holder = directory.holder();
    if (holder == null) {
      return;
    }
    holder.claims().keys().forEach(sharing::isClaimed);
    if (holder.isServer()) {
      holder.claims().left().forEach(sharing::mayBeInterrupted);
      given.stream().flatMap(List::stream).forEach(job -> sharing.isClaimed(key(job)));
    }
  }

  private static String key(KubeObject job) {
    return job.namespace() + "/" + job.name();
  }

  @Override
  public void play() {
    try (faults) {
      given.forEach(this::give);
      while (steps < troubles && step() && (!commands.isEmpty() || anyIsUnfinished())) {
        trouble();
      }
      settle();
    } catch (AssertionError | RuntimeException wrong) {
      throw new AssertionError(wrong.getMessage() + "\n" + trace, wrong);
    }
  }

  private void give(List<KubeObject> jobs) {
    SimulatedCommand command = new SimulatedCommand("run" + names++, jobs, directory, this::said);
    commands.add(command);
    WatchLaws watch = new WatchLaws();
    stored.forEach(change -> change.tell(watch));
    watches.add(watch);
    watch.listen(command.cluster, command::goesOn);
    command.start();
  }

  /** Traces a step of a command, and counts its kind. */
  private void said(String what) {
    trace.add(what);
    happened.add(what.replaceFirst("^run\\d+", "a command").replaceFirst(": .*", ""));
  }

  private boolean step() {
    steps++;
    if (steps > MOST_STEPS || time.instant().isAfter(SimulatedSystem.START.plus(LONGEST))) {
      throw new AssertionError("the world never comes to rest: " + unfinished());
    }
    boolean stepped = scheduler.step();
    noteClaims();
    laws.hold();
    sharing.hold();
    writes.hold();
    watches.forEach(WatchLaws::hold);
    SimulatedHolder holder = directory.holder();
    if (holder != null) {
      holder.claims().hold();
    }
    faults.hold();
    commands.removeIf(command -> !command.isAlive());
    return stepped || commands.isEmpty();
  }

  private void trouble() {
    if (random.nextInt(troubleEvery) == 0) {
      fault();
    }
    SimulatedHolder holder = directory.holder();
    if (holder != null && random.nextInt(userEvery) == 0) {
      users.act(holder.cluster());
    }
    if (!commands.isEmpty() && random.nextInt(noteEvery) == 0) {
      SimulatedCommand some = commands.get(random.nextInt(commands.size()));
      if (some.goesOn()) {
        writes.act(some.name, some.cluster);
      }
    }
  }

  private void fault() {
    SimulatedCommand some =
        commands.isEmpty() ? null : commands.get(random.nextInt(commands.size()));
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> {
        happens("a command is given");
        give(given.get(random.nextInt(given.size())));
      }
      case 3 -> {
        if (some != null) {
          happens("a command is told to end: " + some.name);
          some.keys().forEach(sharing::mayBeInterrupted);
          some.leave();
        }
      }
      case 4 -> {
        if (some != null) {
          kill(some);
        }
      }
      case 5 -> dies();
      case 6 -> {
        if (random.nextBoolean()) {
          losePower();
        }
      }
      case 7 -> connections(true);
      case 8 -> connections(false);
      case 9 -> {
        if (some != null) {
          pause(some.process, some.name);
        }
      }
      default -> server();
    }
  }

  private void happens(String what) {
    trace.add(what);
    happened.add(what.replaceAll(":.*", ""));
  }

  private void kill(SimulatedCommand command) {
    happens("a command dies: " + command.name);
    command.kill();
  }

  private void losePower() {
    happens("the machine dies");
    List.copyOf(commands).forEach(this::kill);
    if (server != null) {
      server.process.end();
    }
    directory.losePower();
  }

  /** Kills the process that holds the directory. */
  private boolean dies() {
    SimulatedServer up = server;
    if (up != null && up.holds()) {
      happens("up dies");
      up.process.end();
      return true;
    }
    List<SimulatedCommand> holding =
        commands.stream().filter(each -> directory.isLockedBy(each.process)).toList();
    holding.forEach(this::kill);
    return !holding.isEmpty();
  }

  private void connections(boolean breaks) {
    List<SimulatedSocket> sockets = directory.sockets();
    if (sockets.isEmpty()) {
      return;
    }
    SimulatedSocket some = sockets.get(random.nextInt(sockets.size()));
    if (breaks) {
      happens("a connection breaks");
      some.breakDown(random);
    } else {
      happens("a connection stalls");
      some.stall();
      Duration howLong = Duration.ofMillis(random.nextInt(1, 60_000));
      time.timersOf(world).after(howLong, some::flow);
    }
  }

  private void pause(SimulatedProcess process, String name) {
    happens("a process stands still: " + name);
    process.pause();
    Duration howLong = Duration.ofMillis(random.nextInt(1, 90_000));
    time.timersOf(world).after(howLong, process::goOn);
  }

  private void server() {
    SimulatedServer up = server;
    if (up == null || !up.isAlive()) {
      happens("up starts");
      up = new SimulatedServer(directory, trace::add);
      server = up;
      up.start();
    } else if (random.nextBoolean()) {
      happens("up is told to end");
      up.end();
    } else {
      pause(up.process, "up");
    }
  }

  private void runUntil(BooleanSupplier done) {
    while (!done.getAsBoolean()) {
      if (!step()) {
        throw new AssertionError("nothing happens any more");
      }
      SimulatedHolder holder = directory.holder();
      if (holder != null && steps % 500 == 0 && !isInterruptedInVain()) {
        users.letGo(holder.cluster());
      }
    }
  }

  /** True if a Job is interrupted whose command goes on: that is to resume it, and no user. */
  private boolean isInterruptedInVain() {
    return laws.history.jobs.values().stream()
        .filter(job -> job.unfinished() && sharing.isInterrupted(job.object))
        .anyMatch(job ->
            commands.stream()
                .anyMatch(
                    command -> !command.isLeaving() && command.keys().contains(key(job.object))));
  }

  /** Ends all faults: then every command that lives ends with the outcome of its Jobs. */
  private void settle() {
    trace.add("no more trouble");
    troubled = false;
    commands.forEach(command -> command.process.goOn());
    if (server != null) {
      server.process.goOn();
    }
    directory.flow();
    commands.removeIf(command -> !command.isAlive());
    List<SimulatedCommand> living = List.copyOf(commands);
    runUntil(() -> commands.isEmpty());
    living.forEach(this::checkOutcome);
    given.stream().filter(this::isUnfinished).forEach(this::give);
    List<SimulatedCommand> last = List.copyOf(commands);
    runUntil(() -> commands.isEmpty());
    last.forEach(this::checkOutcome);
    cleanUp();
    laws.checkEnd(false);
  }

  /** Returns the specifications and marks of the Jobs that have not ended. */
  private List<String> unfinished() {
    return laws.history.jobs.values().stream()
        .filter(History.Job::unfinished)
        .map(job ->
            job.object
                + " "
                + job.object.tree().path("metadata").path("annotations")
                + job.object.spec())
        .toList();
  }

  private boolean isUnfinished(List<KubeObject> jobs) {
    Set<String> keys = jobs.stream().map(SharedDirectoryRun::key).collect(Collectors.toSet());
    List<History.Job> ours =
        laws.history.jobs.values().stream().filter(job -> keys.contains(key(job.object))).toList();
    return ours.size() < keys.size() || ours.stream().anyMatch(History.Job::unfinished);
  }

  private boolean anyIsUnfinished() {
    return given.stream().anyMatch(this::isUnfinished);
  }

  private void checkOutcome(SimulatedCommand command) {
    if (command.isLeaving()) {
      return;
    }
    if (!command.isFinished() && !command.wasTooLate()) {
      throw new AssertionError(
          "a command ends without the outcome of its Jobs: " + command.failure());
    }
    for (History.Job job : laws.history.jobs.values()) {
      if (command.isFinished() && command.hasSubmitted(job.object) && job.unfinished()) {
        throw new AssertionError("a command ends before its Job: " + job.object);
      }
    }
  }

  /** Lets an {@code up} release the pods of deleted Jobs. */
  private void cleanUp() {
    if (server == null || !server.isAlive()) {
      server = new SimulatedServer(directory, trace::add);
      server.start();
    }
    Instant end = time.instant().plus(Duration.ofMinutes(2));
    runUntil(() -> time.instant().isAfter(end));
  }

  long digest() {
    return trace.digest();
  }

  @Override
  public PlayedWorld played() {
    return new PlayedWorld(
        steps, Duration.between(SimulatedSystem.START, time.instant()), happened.read());
  }
}
