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
}
