package dev.stint.controllers.metrics;

import dev.stint.reconcile.QueueMetrics;

/** Where controllers report what they do. Its methods may be called by any thread, and are fast. */
public interface Metrics {
  /** Reports to nobody. */
  Metrics NONE = new Metrics() {};

  default JobMetrics jobs() {
    return JobMetrics.NONE;
  }

  /**
   * Of one controller's queue.
   *
   * @param name as Kubernetes names it, such as {@code job}
   */
  default QueueMetrics queue(String name) {
    return QueueMetrics.NONE;
  }
}
