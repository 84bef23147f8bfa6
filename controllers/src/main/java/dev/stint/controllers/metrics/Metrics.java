package dev.stint.controllers.metrics;

import dev.stint.reconcile.QueueMetrics;

/** The metrics that controllers report. Its methods are fast, and may be called by any thread. */
public interface Metrics {
  /** Discards all metrics. */
  Metrics NONE = new Metrics() {};

  default JobMetrics jobs() {
    return JobMetrics.NONE;
  }

  /**
   * Returns the metrics of one controller's queue.
   *
   * @param name Kubernetes' name of the queue, such as {@code job}
   */
  default QueueMetrics queue(String name) {
    return QueueMetrics.NONE;
  }
}
