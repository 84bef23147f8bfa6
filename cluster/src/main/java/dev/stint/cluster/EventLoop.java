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
 * @param clock the time of day, which may be set
 * @param steady the time that the timers go by, for how long something lasts: nobody sets it, and
 *     it may stand still while the machine sleeps
 * @param timers for delayed tasks
 * @param random for jitter; used on the executor only
 */
public record EventLoop(
    Executor executor,
    InstantSource clock,
    InstantSource steady,
    Timers timers,
    RandomGenerator random)
    implements Executor {
  /** Creates a loop whose clock nobody sets, such as one in simulated time. */
  public EventLoop(Executor executor, InstantSource clock, Timers timers, RandomGenerator random) {
    this(executor, clock, clock, timers, random);
  }

  /** Runs a task after all waiting tasks. */
  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  /** Returns the time of day. */
  public Instant now() {
    return clock.instant();
  }

  /** Returns the time of the steady clock: only the time between two of its times has a meaning. */
  public Instant steadyNow() {
    return steady.instant();
  }

  /** Returns the time of day that was at a time of the steady clock, as the clock is set now. */
  public Instant timeOfDay(Instant steadyTime) {
    return now().minus(Duration.between(steadyTime, steadyNow()));
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
