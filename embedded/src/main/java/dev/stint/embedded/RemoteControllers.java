package dev.stint.embedded;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.Timers;
import dev.stint.controllers.gc.ServedKinds;
import dev.stint.controllers.job.JobController;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.job.ShardWorker;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.Kind;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.FencedCluster;
import dev.stint.reconcile.RetryingCluster;
import dev.stint.reconcile.leader.ShardElection;
import dev.stint.reconcile.leader.Sharding;
import dev.stint.reconcile.leader.Term;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Controllers for a remote API. */
public final class RemoteControllers extends RemoteWork {
  /**
   * The options of remote controllers.
   *
   * @param candidacy null if there is no leader election
   * @param metrics receives the controllers' metrics
   */
  public record Options(
      Set<ControllerName> controllers,
      JobControllerOptions jobs,
      @Nullable LeaderCandidate candidacy,
      RetryingCluster.Options requests,
      Metrics metrics) {}

  private final SerialExecutor controllerLoop = new SerialExecutor("stint-jobs");
  private final SerialExecutor managerLoop = new SerialExecutor("stint-controllers");
  private final InstantSource wall = InstantSource.system();
  private final Cluster cluster;
  private final Timers timers;
  private final Options options;

  private int terms;
  private volatile @Nullable ShardWorker shards;

  /** The shards of one term in which their number holds. */
  private record ShardSharing(FencedCluster guard, JobController jobs, ShardElection election)
      implements Workers {
    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public CompletableFuture<@Nullable Void> stop() {
      // The last events about Jobs that are given up go through the fence, too.
      return election
          .stop()
          .handle((_, _) -> true)
          .thenCompose(_ -> guard.drain())
          .whenComplete((_, _) -> jobs.close());
    }
  }

  /**
   * The controllers of one term.
   *
   * @param loops the executors on which they work
   */
  private record Working(
      FencedCluster guard, List<Controller> controllers, List<SerialExecutor> loops)
      implements Workers {
    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public CompletableFuture<@Nullable Void> stop() {
      controllers.forEach(Controller::close);
      // They end on their loops, where they send their last events.
      CompletableFuture<?>[] ends =
          loops.stream()
              .map(loop -> CompletableFuture.runAsync(() -> {}, loop))
              .toArray(CompletableFuture[]::new);
      return CompletableFuture.allOf(ends).thenCompose(_ -> guard.drain());
    }
  }

  /**
   * Creates the controllers without starting them.
   *
   * @param cluster the API; not closed with this
   */
  public RemoteControllers(Cluster cluster, Timers timers, Options options) {
    super(cluster, timers, options.candidacy());
    this.cluster = cluster;
    this.timers = timers;
    this.options = options;
  }

  @Override
  Workers startWorkers(Term term) {
    FencedCluster guard = new FencedCluster(cluster, term::holds);
    RetryingCluster retrying = retrying(guard, options.requests());
    LeaderCandidate candidacy = options.candidacy();
    if (candidacy != null && candidacy.sharding() != null) {
      return share(term, guard, retrying, candidacy, candidacy.sharding());
    }
    List<Controller> controllers = new ArrayList<>();
    if (options.controllers().contains(ControllerName.JOB)) {
      JobController jobs =
          new JobController(retrying, eventLoop(controllerLoop), options.metrics(), options.jobs());
      jobs.start();
      controllers.add(jobs);
    }
    controllers.addAll(startOthers(retrying));
    return new Working(guard, controllers, List.of(controllerLoop, managerLoop));
  }

  private List<Controller> startOthers(Cluster api) {
    return new ControllerManager(
            api,
            ServedKinds.fixed(Kind.all()),
            eventLoop(managerLoop),
            options.metrics(),
            options.jobs(),
            null)
        .start(options.controllers());
  }

  /** Takes part in the election of shards; each part has an identity of its own. */
  private Workers share(
      Term term,
      FencedCluster guard,
      RetryingCluster retrying,
      LeaderCandidate candidacy,
      Sharding sharding) {
    JobController jobs =
        new JobController(
            retrying, sharding, eventLoop(controllerLoop), options.metrics(), options.jobs());
    EventLoop loop = electionLoop();
    ShardWorker worker = new ShardWorker(cluster, retrying, term, jobs, this::startOthers, loop);
    shards = worker;
    ShardElection election =
        new ShardElection(
            cluster,
            candidacy.lease(),
            candidacy.identity() + "_" + ++terms,
            sharding,
            candidacy.times(),
            loop,
            wall,
            worker);
    election.start();
    return new ShardSharing(guard, jobs, election);
  }

  /** Returns the shards that this process holds. */
  public Set<Integer> shardsHeld() {
    ShardWorker worker = shards;
    return worker == null || !isLeading() ? Set.of() : worker.held();
  }

  private EventLoop eventLoop(Executor executor) {
    return new EventLoop(executor, wall, steady, timers, RandomGenerators.unpredictable());
  }

  @Override
  void closeLoops() {
    controllerLoop.close();
    managerLoop.close();
  }
}
