package dev.stint.testkit;

import dev.stint.testkit.time.BlockingAnswers;
import dev.stint.testkit.time.SimulatedTimeScheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * The control plane's simulated time, which stands still until the test advances it. Work that
 * needs no time is done at once; back-offs, deadlines, times to live and schedules wait for {@link
 * #advance}.
 *
 * <pre>{@code
 * jobs.apply(cronJob);                       // every full hour
 * clock.advance(10, MINUTES);
 * assertThat(jobs.all()).isEmpty();
 * clock.advance(50, MINUTES);
 * assertThat(jobs.all()).hasSize(1);
 * }</pre>
 *
 * <p>Pass it as an {@link InstantSource} to code under test that reads the time.
 */
public final class TestClock implements InstantSource {
  private static final Duration ADVANCE_TIMEOUT = Duration.ofSeconds(60);

  private final SimulatedTimeScheduler driver;

  TestClock(SimulatedTimeScheduler driver) {
    this.driver = driver;
  }

  @Override
  public Instant instant() {
    return driver.environment().time().instant();
  }

  /** Advances simulated time as {@link #advance(Duration)} does. */
  public void advance(long amount, TimeUnit unit) {
    advance(Duration.of(amount, unit.toChronoUnit()));
  }

  /**
   * Advances simulated time, and does everything that falls due on the way, in its order; returns
   * once everything that follows is done. HTTP clients act on their own: their requests under way
   * are waited for, later ones are not.
   *
   * @throws IllegalArgumentException if the time is negative
   */
  public void advance(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("cannot advance time by " + time + ", which is negative");
    }
    advanceTo(instant().plus(time));
  }

  /** Advances simulated time to a point in time; does nothing if it has passed. */
  public void advanceTo(Instant then) {
    BlockingAnswers.within(
        ADVANCE_TIMEOUT, driver.advance(then), "the control plane did not reach " + then);
    settle();
  }

  /** Returns when nothing is left to do now. */
  public void settle() {
    BlockingAnswers.within(
        ADVANCE_TIMEOUT, driver.whenIdle(), "the control plane did not come to rest");
  }
}
