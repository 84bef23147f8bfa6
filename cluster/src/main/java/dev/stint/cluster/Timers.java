package dev.stint.cluster;

import java.time.Duration;

/** The port to "later". The clock beside it is {@link java.time.InstantSource}. */
public interface Timers {
  /**
   * Runs a task once, after a delay. The task must be short; it usually re-enters its owner's
   * executor.
   *
   * @return a handle whose {@code run} cancels the task; harmless after it ran
   */
  Runnable after(Duration delay, Runnable task);
}
