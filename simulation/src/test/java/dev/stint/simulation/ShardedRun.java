package dev.stint.simulation;

import dev.stint.apiserver.ApiServer;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.time.Lifetime;
import dev.stint.cluster.time.Scheduler;
import dev.stint.cluster.time.SimulatedTime;
import dev.stint.controllers.job.Claim;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.engine.EngineOptions;
import dev.stint.harness.JobBuilder;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.FeatureGates;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.leader.Sharding;
import dev.stint.runner.Runner;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.store.Store;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Plays a few Jobs that several replicas share by shards, with replicas that come and go, die,
 * stand still, are cut off and lose their Leases; some worlds change the number of shards. All laws
 * of Jobs hold, and those of {@link ShardLaws}; in the end the shards are shared evenly.
 */
final class ShardedRun implements SimulatedWorld {
  private static final ObjectRef LEASE = new ObjectRef(Kind.LEASE, "default", "stint-test");
  private static final int JOBS = 8;
  private static final int MOST_REPLICAS = 4;

  /** The time in which a cut-off replica is forgotten, and shards are given up to a new one. */
  private static final Duration QUIET = Duration.ofSeconds(90);

  private static final Duration LONGEST = Duration.ofMinutes(30);

  private final Random random;
  private final SimulatedTime time = new SimulatedTime(SimulatedSystem.START);
  private final Scheduler scheduler;
  private final EventTrace trace = new EventTrace(time);
  private final LoggedErrors faults = new LoggedErrors();
  private final FaultCounts happened = new FaultCounts();
  private final JobControllerOptions options;
  private final Laws laws;
  private final ShardLaws shardLaws = new ShardLaws(LEASE);
  private final ApiServer server;
  private final List<ShardReplica> replicas = new ArrayList<>();
  private final double lossRate;
  private Sharding sharding;
  private int jobs;
  private int names;
  private int steps;

  ShardedRun(long seed) {
    random = new Random(seed);
    scheduler =
        new Scheduler(new Random(random.nextLong()), time, 0, Duration.ofMillis(pick(1, 4)));
    sharding = new Sharding(pick(1, 3, 4, 7));
    lossRate = pick(0, 1, 3) / 100.0;
    options =
        new JobControllerOptions(
            Claim.BUILT_IN,
            job -> true,
            FeatureGates.DEFAULT,
            new EngineOptions(
                new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(5)), 500, 500),
            Duration.ofMillis(pick(0, 1000)),
            pick(1, 64));
    laws = new Laws(options, time, trace);
    server = server(new Lifetime());
    node(new Lifetime());
    for (int i = pick(1, 2, 3); i > 0; i--) {
      join();
    }
  }

  private int pick(int... values) {
    return values[random.nextInt(values.length)];
  }

  private ApiServer server(Lifetime life) {
    try {
      Store store =
          Store.open(
              new SimulatedDisk(laws),
              scheduler.serial(life),
              scheduler.serial(life),
              StoreOptions.defaults());
      return new ApiServer(
          store,
          scheduler.serial(life),
          time,
          new Random(random.nextLong()),
          FeatureGates.DEFAULT,
          ApiServer.Options.defaults().withNode(SimulatedSystem.NODE));
    } catch (StoreException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  private void node(Lifetime life) {
    SimulatedRuntime runtime =
        new SimulatedRuntime(
            (_, chance) ->
                new SimulatedRuntime.Outcome(
                    Duration.ofSeconds(chance.nextInt(1, 20)), chance.nextInt(6) == 0 ? 1 : 0),
            new Random(random.nextLong()),
            time,
            time.timersOf(life));
    EventLoop loop =
        new EventLoop(
            scheduler.serial(life), time, time.timersOf(life), new Random(random.nextLong()));
    RunnerOptions runner = new RunnerOptions(SimulatedSystem.NODE, 110, pod -> true);
    new Runner(server, runtime, loop, runner).start();
  }

  private void join() {
    String name = "r" + names++;
    trace.add(name + " comes, with " + sharding.count() + " shards");
    Cluster checked = shardLaws.of(server, name, sharding);
    ShardReplica replica =
        new ShardReplica(
            name,
            sharding,
            LEASE,
            checked,
            options,
            scheduler,
            time,
            new Random(random.nextLong()));
    replica.lossRate = lossRate;
    replicas.add(replica);
  }

  @Override
  public void play() {
    try (faults) {
      while (jobs < JOBS) {
        createJob();
        runFor(Duration.ofMillis(random.nextInt(1, 15_000)));
        trouble();
        replicas.removeIf(replica -> !replica.isAlive());
      }
      settle();
    } catch (AssertionError | RuntimeException wrong) {
      throw new AssertionError(wrong.getMessage() + "\n" + trace, wrong);
    }
  }

  private void createJob() {
    String index =
        "'completionMode':'Indexed','completions':%d,'parallelism':%d"
            .formatted(random.nextInt(1, 6), random.nextInt(1, 4));
    String limit =
        random.nextBoolean()
            ? "'backoffLimit':" + random.nextInt(6)
            : "'backoffLimitPerIndex':" + random.nextInt(3);
    KubeObject job = JobBuilder.named("j" + jobs++).spec(index + "," + limit).command("w").build();
    server.create(job);
  }

  private void trouble() {
    ShardReplica some = replicas.get(random.nextInt(replicas.size()));
    Duration time = Duration.ofMillis(random.nextInt(1, 40_000));
    switch (random.nextInt(10)) {
      case 0, 1 -> {
        if (replicas.size() < MOST_REPLICAS) {
          join();
        }
      }
      case 2 -> {
        happens("a replica ends", some);
        some.terminate();
        ensureOne(some);
      }
      case 3 -> {
        happens("a replica dies", some);
        some.kill();
        ensureOne(some);
      }
      case 4 -> {
        happens("a replica stands still", some, " for " + time);
        some.pause(time);
      }
      case 5 -> {
        happens("a replica is cut off", some);
        some.partitioned = true;
      }
      case 6 -> {
        happens("a replica loses its leases", some);
        some.losesLeases = true;
      }
      case 7 -> {
        happens("the watches of a replica stall", some, " for " + time);
        some.stallWatches(time);
      }
      case 8 -> replicas.forEach(ShardedRun::heal);
      default -> changeCount();
    }
  }

  private void happens(String fault, ShardReplica replica) {
    happens(fault, replica, "");
  }

  /** Traces a fault with its detail, and counts the fault alone. */
  private void happens(String fault, ShardReplica replica, String detail) {
    trace.add(fault + ": " + replica.name + detail);
    happened.add(fault);
  }

  /** Lets one come if nobody would stay: one that ends hands its shards over for a while. */
  private void ensureOne(ShardReplica leaving) {
    if (replicas.stream().noneMatch(each -> each != leaving && each.stays())) {
      join();
    }
  }

  /** Replaces all replicas by others with another number of shards, one after the other. */
  private void changeCount() {
    if (random.nextInt(3) == 0) {
      happened.add("the number of shards changes");
      sharding = new Sharding(1 + random.nextInt(6));
      List<ShardReplica> former = List.copyOf(replicas);
      join();
      former.forEach(ShardReplica::terminate);
    }
  }

  private static void heal(ShardReplica replica) {
    replica.partitioned = false;
    replica.losesLeases = false;
  }

  private void runFor(Duration duration) {
    Instant end = time.instant().plus(duration);
    while (time.instant().isBefore(end) && scheduler.step()) {
      steps++;
      laws.hold();
      shardLaws.hold();
      faults.hold();
    }
  }

  /** Ends all faults: then every Job ends, and the shards are shared evenly. */
  private void settle() {
    trace.add("no more trouble");
    replicas.forEach(replica -> {
      heal(replica);
      replica.lossRate = 0;
    });
    Instant latest = time.instant().plus(LONGEST);
    runFor(QUIET);
    while (laws.history.jobs.size() < jobs
        || laws.history.jobs.values().stream().anyMatch(History.Job::unfinished)) {
      runFor(Duration.ofSeconds(10));
      if (time.instant().isAfter(latest)) {
        throw new AssertionError("the world never comes to rest");
      }
    }
    runFor(Duration.ofSeconds(5));
    laws.checkEnd(false);
    checkBalance();
  }

  private void checkBalance() {
    TreeMap<String, Long> shares =
        IntStream.range(0, sharding.count())
            .mapToObj(shard -> shardLaws.holder(shard).replaceAll("_.*", ""))
            .collect(Collectors.groupingBy(each -> each, TreeMap::new, Collectors.counting()));
    long least = sharding.count() / replicas().size();
    for (String replica : replicas()) {
      long held = shares.getOrDefault(replica, 0L);
      if (held < least || held > least + (sharding.count() % replicas().size() == 0 ? 0 : 1)) {
        throw new AssertionError("the shards are not shared evenly\n" + shares);
      }
    }
  }

  private List<String> replicas() {
    return replicas.stream().filter(ShardReplica::isAlive).map(each -> each.name).toList();
  }

  long digest() {
    return trace.digest();
  }

  /** Returns the number of times that a shard got a holder. */
  int moves() {
    return shardLaws.taken;
  }

  /** Returns the number of writes that were checked. */
  int writes() {
    return shardLaws.writes;
  }

  @Override
  public PlayedWorld played() {
    return new PlayedWorld(
        steps, Duration.between(SimulatedSystem.START, time.instant()), happened.read());
  }
}
