package dev.stint.embedded;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.GuardedCluster;
import dev.stint.cluster.PatientCluster;
import dev.stint.cluster.Timers;
import dev.stint.controllers.Controller;
import dev.stint.controllers.JobController;
import dev.stint.controllers.JobControllerOptions;
import dev.stint.controllers.leader.Term;
import dev.stint.controllers.metrics.Metrics;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Controllers for an API that is somebody else's. */
public final class AttachedControllers extends Attached {
  /**
   * How it works.
   *
   * @param candidacy null where there is nobody else to be elected
   * @param metrics what the controllers tell of what they do
   */
  public record Options(
      Set<ControllerName> controllers,
      JobControllerOptions jobs,
      @Nullable Candidacy candidacy,
      PatientCluster.Options requests,
      Metrics metrics) {}

  private final Loop controllerLoop = new Loop("stint-jobs");
  private final Loop housekeepingLoop = new Loop("stint-housekeeping");
  private final InstantSource wall = InstantSource.system();
  private final Cluster cluster;
  private final Timers timers;
  private final Options options;

  /** What works during one term. */
  private record Working(GuardedCluster guard, List<Controller> controllers) implements Workers {
    @Override
    public boolean ready() {
      return true;
    }

    @Override
    public CompletableFuture<@Nullable Void> end() {
      controllers.forEach(Controller::close);
      return guard.end();
    }
  }

  /**
   * Not started yet.
   *
   * @param cluster the API; not closed with this
   */
  public AttachedControllers(Cluster cluster, Timers timers, Options options) {
    super(cluster, timers, options.candidacy());
    this.cluster = cluster;
    this.timers = timers;
    this.options = options;
  }

  @Override
  Workers begin(Term term) {
    GuardedCluster guard = new GuardedCluster(cluster, term::holds);
    PatientCluster patient = patient(guard, options.requests());
    List<Controller> controllers = new ArrayList<>();
    if (options.controllers().contains(ControllerName.JOB)) {
      JobController jobs =
          new JobController(
              patient, controllerLoop, wall, timers, random(), options.metrics(), options.jobs());
      jobs.start();
      controllers.add(jobs);
    }
    controllers.addAll(
        new Housekeeping(patient, housekeepingLoop, wall, timers, null)
            .start(options.controllers()));
    return new Working(guard, controllers);
  }

  @Override
  void closeLoops() {
    controllerLoop.close();
    housekeepingLoop.close();
  }
}
