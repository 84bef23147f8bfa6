package dev.stint.controllers.metrics;

/** What a mirror does. */
public interface MirrorMetrics {
  MirrorMetrics NONE = new MirrorMetrics() {};

  /**
   * A Job cannot be mirrored for now, or not any more.
   *
   * @param reason of its condition
   */
  default void problem(String reason) {}

  /** Whether the worker cluster is away. */
  default void workerAway(boolean away) {}
}
