package dev.stint.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The executor, clock and timers of an event-driven component. Its state belongs to the executor,
 * which handles watch events, timers and answers to requests one after the other.
 *
 * @param executor runs one task at a time, in order
 * @param clock the time
 * @param timers for delayed tasks
 * @param random for jitter; used on the executor only
 */
public record EventLoop(
    Executor executor, InstantSource clock, Timers timers, RandomGenerator random)
    implements Executor {
  /** Runs a task after all waiting tasks. */
  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  /** Returns the time. */
  public Instant now() {
    return clock.instant();
  }

  /**
   * Runs a task on the executor after a delay; a negative one counts as none.
   *
   * @return cancels the task; harmless after it ran
   */
  public Runnable after(Duration delay, Runnable task) {
    return timers.after(notNegative(delay), () -> executor.execute(task));
  }

  /** Does what {@link #after} does, or sooner: see {@link Timers#within}. */
  public Runnable within(Duration delay, Runnable task) {
    return timers.within(notNegative(delay), () -> executor.execute(task));
  }

  private static Duration notNegative(Duration delay) {
    return delay.isNegative() ? Duration.ZERO : delay;
  }
}
