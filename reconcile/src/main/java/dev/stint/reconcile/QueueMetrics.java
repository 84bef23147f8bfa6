package dev.stint.reconcile;

import java.time.Duration;

/** The metrics of a work queue. */
public interface QueueMetrics {
  QueueMetrics NONE = new QueueMetrics() {};

  /** Records that a key was added. */
  default void onAdd() {}

  /** Records the number of keys that leave the queue unprocessed, since it is closed. */
  default void onDrop(int count) {}

  /**
   * Records that work on a key begins.
   *
   * @param key the key; there is one piece of work at a time for it
   * @param waited the time since it was added
   */
  default void onStart(Object key, Duration waited) {}

  /** Records that work has ended, successfully or not. */
  default void onDone(Object key, Duration worked) {}

  /** Records that work has failed and will be retried. */
  default void onRetry() {}
}
