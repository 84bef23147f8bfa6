package dev.stint.engine.pod;

import dev.stint.model.job.options.JobOptions;
import org.jspecify.annotations.Nullable;

/**
 * Restarts per index (KEP-3850, Support backoffLimitPerIndex when restartPolicy=OnFailure): if a
 * Job's annotation says so, each restart of a container is a failure of the pod's index. A pod with
 * more failures than the limit is ended, and fails its index. The node restarts containers by
 * itself, so there may be more restarts than that before the controller sees them.
 */
public final class RestartsPerIndex {
  /** The reason of the end of such a pod. */
  public static final String REASON = "RestartLimitExceeded";

  private RestartsPerIndex() {}

  /** Returns the pod with the failures that count for its index. */
  public static PodView judge(PodView pod, JobOptions options) {
    return options.restartsPerIndex() && pod.restarts() > 0
        ? pod.withFailures(pod.failureCount() + pod.restarts())
        : pod;
  }

  /**
   * True if a pod has to be ended.
   *
   * @param limit {@code spec.backoffLimitPerIndex}, if limits per index apply; null otherwise
   * @param pod a pod as {@link #judge} returns it
   */
  public static boolean isExceeded(@Nullable Integer limit, PodView pod, JobOptions options) {
    return options.restartsPerIndex()
        && limit != null
        && pod.isActive()
        && pod.failureCount() > limit;
  }
}
