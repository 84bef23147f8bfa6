package dev.stint.controllers.mirror;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.controllers.metrics.MirrorMetrics;
import dev.stint.model.FeatureGates;
import dev.stint.reconcile.Controller;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hands the Jobs of a manager to several workers: a {@link MirrorController} for each worker, with
 * the Jobs that are assigned to it. A worker without a name is the only one, and gets all Jobs.
 */
public final class WorkerMirrors implements Controller {
  private final List<MirrorController> mirrors;
  private final @Nullable WorkerAssigner assigner;

  /**
   * Creates mirrors that are not started yet.
   *
   * @param workers in the order of preference
   * @param claim the {@code managedBy} of the Jobs to take
   * @param gates the feature gates of the manager's API
   */
  public WorkerMirrors(
      Cluster manager,
      List<MirrorWorker> workers,
      String claim,
      FeatureGates gates,
      EventLoop loop,
      Metrics controllerMetrics,
      MirrorMetrics metrics,
      AssignmentOptions options) {
    this.mirrors =
        workers.stream()
            .map(worker ->
                new MirrorController(
                    manager, worker, claim, gates, loop, controllerMetrics, metrics))
            .toList();
    this.assigner =
        workers.getFirst().name() == null
            ? null
            : new WorkerAssigner(
                manager, mirrors, claim, gates, loop, controllerMetrics, metrics, options);
  }

  /** Starts following all APIs. Returns at once. */
  @Override
  public void start() {
    if (assigner != null) {
      assigner.start();
    }
    mirrors.forEach(MirrorController::start);
  }

  /** Stops following the APIs. Does not wait for writes in flight. */
  @Override
  public void close() {
    if (assigner != null) {
      assigner.close();
    }
    mirrors.forEach(MirrorController::close);
  }

  /** True if all Jobs of the manager are known. May be called on any thread. */
  public boolean isReady() {
    return mirrors.stream().allMatch(MirrorController::isReady);
  }
}
