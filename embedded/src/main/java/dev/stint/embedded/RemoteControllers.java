package dev.stint.embedded;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.Timers;
import dev.stint.controllers.gc.ServedKinds;
import dev.stint.controllers.job.JobController;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.Kind;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.FencedCluster;
import dev.stint.reconcile.RetryingCluster;
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

  /** The controllers of one term. */
  private record Working(FencedCluster guard, List<Controller> controllers) implements Workers {
    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public CompletableFuture<@Nullable Void> stop() {
      controllers.forEach(Controller::close);
      return guard.drain();
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
    RetryingCluster patient = retrying(guard, options.requests());
    List<Controller> controllers = new ArrayList<>();
    if (options.controllers().contains(ControllerName.JOB)) {
      JobController jobs =
          new JobController(patient, eventLoop(controllerLoop), options.metrics(), options.jobs());
      jobs.start();
      controllers.add(jobs);
    }
    controllers.addAll(
        new ControllerManager(
                patient,
                Kind.all(),
                ServedKinds.fixed(Kind.all()),
                eventLoop(managerLoop),
                options.metrics(),
                options.jobs(),
                null)
            .start(options.controllers()));
    return new Working(guard, controllers);
  }

  private EventLoop eventLoop(Executor executor) {
    return new EventLoop(executor, wall, timers, RandomGenerators.unpredictable());
  }

  @Override
  void closeLoops() {
    controllerLoop.close();
    managerLoop.close();
  }
}
