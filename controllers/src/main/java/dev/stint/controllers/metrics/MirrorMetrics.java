package dev.stint.controllers.metrics;

/** The metrics of a mirror. */
public interface MirrorMetrics {
  MirrorMetrics NONE = new MirrorMetrics() {};

  /**
   * Records that a Job cannot be mirrored, for now or for good.
   *
   * @param reason of its condition
   */
  default void onProblem(String reason) {}

  /**
   * Records whether a worker cluster is unreachable.
   *
   * @param worker its name
   */
  default void onWorkerHealth(String worker, boolean away) {}

  /** Records how many pods the unfinished Jobs of a worker may run at once. */
  default void onWorkerPods(String worker, long pods) {}
}
