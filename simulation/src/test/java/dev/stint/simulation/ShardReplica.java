package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.Timers;
import dev.stint.cluster.time.Lifetime;
import dev.stint.cluster.time.Scheduler;
import dev.stint.cluster.time.SimulatedTime;
import dev.stint.controllers.job.JobController;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.job.ShardWorker;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.FencedCluster;
import dev.stint.reconcile.RetryingCluster;
import dev.stint.reconcile.leader.LeaderCallbacks;
import dev.stint.reconcile.leader.LeaderElectionConfig;
import dev.stint.reconcile.leader.LeaderElector;
import dev.stint.reconcile.leader.LeaseTimes;
import dev.stint.reconcile.leader.ShardElection;
import dev.stint.reconcile.leader.Sharding;
import dev.stint.reconcile.leader.Term;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A process that decides some shards: with a clock that runs too fast or too slow, a network that
 * loses and delays, and pauses in which it does nothing.
 */
final class ShardReplica {
  private static final RetryingCluster.Options REQUESTS = RetryingCluster.Options.DEFAULT;

  final String name;
  final Sharding sharding;
  private final Random random;
  private final SimulatedTime time;
  private final Scheduler scheduler;
  private final ObjectRef lease;
  private final JobControllerOptions options;
  private final double speed;
  private final Lifetime life = new Lifetime();
  private final List<PausableLoop> loops = new ArrayList<>();
  private final Network network;
  private final Cluster api;
  private final EventLoop elections;
  private final LeaderElector elector;
  private @Nullable ShardElection election;
  private int terms;

  /** True while its clock is its only company. */
  boolean partitioned;

  /** True while its writes of Leases get lost. */
  boolean losesLeases;

  /** The share of requests that get lost or late. */
  double lossRate;

  private boolean paused;

  /** True from the moment it is told to end; it may be asleep, and notice it later. */
  private boolean told;

  private boolean ending;

  ShardReplica(
      String name,
      Sharding sharding,
      ObjectRef lease,
      Cluster server,
      JobControllerOptions options,
      Scheduler scheduler,
      SimulatedTime time,
      Random random) {
    this.name = name;
    this.sharding = sharding;
    this.lease = lease;
    this.options = options;
    this.random = random;
    this.scheduler = scheduler;
    this.time = time;
    this.speed = 0.92 + 0.16 * random.nextDouble();
    this.network =
        new Network(
            server, scheduler.unordered(life), () -> scheduler.serial(life), _ -> fate(), _ -> {});
    this.api = new SlowLine(network);
    this.elections = loop(clock());
    this.elector =
        new LeaderElector(
            api,
            LeaderElectionConfig.ofReplica(lease, sharding, LeaseTimes.DEFAULT),
            elections,
            clock(),
            new Leadership(),
            () -> true);
    elector.start();
  }

  private InstantSource clock() {
    return () -> {
      Duration since = Duration.between(SimulatedSystem.START, time.instant());
      return SimulatedSystem.START.plusNanos((long) (since.toNanos() * speed));
    };
  }

  private Timers timers(Executor loop) {
    Timers real = time.timersOf(life);
    return (delay, task) ->
        real.after(Duration.ofNanos((long) (delay.toNanos() / speed)), () -> loop.execute(task));
  }

  private EventLoop loop(InstantSource clock) {
    PausableLoop loop = new PausableLoop(scheduler.serial(life), () -> paused);
    loops.add(loop);
    return new EventLoop(loop, clock, timers(Runnable::run), new Random(random.nextLong()));
  }

  private RequestDelivery fate() {
    if (partitioned) {
      return RequestDelivery.REQUEST_LOST;
    }
    double chance = random.nextDouble();
    return chance < lossRate
        ? RequestDelivery.REQUEST_LOST
        : chance < 2 * lossRate ? RequestDelivery.ANSWER_LOST : RequestDelivery.GOOD;
  }

  /** Delays some requests by up to two seconds, less than the margin of the lease's times. */
  private final class SlowLine extends ForwardingCluster {
    SlowLine(Cluster cluster) {
      super(cluster);
    }

    @Override
    protected <T extends @Nullable Object> CompletableFuture<T> send(
        ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
      if (losesLeases && request.isWrite() && request.ref().kind().equals(Kind.LEASE)) {
        return CompletableFuture.failedFuture(
            new ClusterException(ClusterException.Reason.TIMEOUT, "nobody answered in time"));
      }
      if (random.nextDouble() >= 5 * lossRate) {
        return sending.get();
      }
      CompletableFuture<@Nullable Void> late = new CompletableFuture<>();
      Duration delay = Duration.ofMillis(random.nextInt(2000));
      time.timersOf(life).after(delay, () -> late.complete(null));
      return late.thenCompose(_ -> sending.get());
    }
  }

  /** Does the work for as long as the number of shards is in force. */
  private final class Leadership implements LeaderCallbacks {
    @Override
    public void onStartedLeading(Term term) {
      if (ending) {
        return;
      }
      Timers later = timers(loops.getFirst());
      RetryingCluster patient =
          new RetryingCluster(
              new FencedCluster(api, term::holds), REQUESTS, time, later, new Random(1));
      JobController jobs = new JobController(patient, sharding, loop(time), Metrics.NONE, options);
      ShardElection begun =
          new ShardElection(
              api,
              lease,
              name + "_" + ++terms,
              sharding,
              LeaseTimes.DEFAULT,
              elections,
              clock(),
              new ShardWorker(api, patient, term, jobs, _ -> List.of(), elections));
      election = begun;
      begun.start();
    }

    @Override
    public void onStoppedLeading(String reason) {
      ShardElection ended = election;
      election = null;
      if (ended != null) {
        ended.stop();
      }
    }
  }

  boolean isAlive() {
    return !life.hasEnded();
  }

  /** True if it is alive, and was not told to end. */
  boolean stays() {
    return isAlive() && !told;
  }

  /** Ends as on SIGTERM: hands its shards over, and then ends. */
  void terminate() {
    told = true;
    elections.execute(() -> {
      ending = true;
      ShardElection last = election;
      election = null;
      if (last == null) {
        kill();
      } else {
        last.stop().whenComplete((_, _) -> kill());
      }
    });
  }

  /** Ends at once. */
  void kill() {
    life.end();
  }

  /** Stands still for a while, as when its machine sleeps. */
  void pause(Duration howLong) {
    if (!paused) {
      paused = true;
      time.timersOf(life)
          .after(
              howLong,
              () -> {
                paused = false;
                loops.forEach(PausableLoop::goOn);
              });
    }
  }

  /** Holds back the events of its watches for a while. */
  void stallWatches(Duration howLong) {
    network.stall();
    time.timersOf(life).after(howLong, network::flow);
  }
}
