package dev.stint.reconcile;

import java.time.Duration;

/** What happens in a work queue. */
public interface QueueMetrics {
  QueueMetrics NONE = new QueueMetrics() {};

  /** Something waits to be worked on. */
  default void added() {}

  /**
   * Work begins.
   *
   * @param key what is worked on; one piece of work at a time
   * @param waited since it was added
   */
  default void started(Object key, Duration waited) {}

  /** Work has ended, well or not. */
  default void done(Object key, Duration worked) {}

  /** Work has failed and will be tried again. */
  default void retried() {}
}
