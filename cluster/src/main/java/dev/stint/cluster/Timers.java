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

  /**
   * Runs a task once, after a delay or sooner. For who goes by a clock: it may be set, or run on
   * while the machine sleeps and these timers stand still. So the task looks at the clock, and asks
   * again if it is not time yet.
   *
   * @return as {@link #after} does
   */
  default Runnable within(Duration delay, Runnable task) {
    return after(delay, task);
  }
}
