package dev.stint.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * The control plane's time, which stands still until the test moves it. Whatever can happen without
 * time passing, happens at once; back-offs, deadlines, times to live and schedules wait for {@link
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
 * <p>Hand it as an {@link InstantSource} to code under test that asks for the time.
 */
public final class TestClock implements InstantSource {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final TimeDriver driver;

  TestClock(TimeDriver driver) {
    this.driver = driver;
  }

  @Override
  public Instant instant() {
    return driver.machinery().time().instant();
  }

  /** As {@link #advance(Duration)}. */
  public void advance(long amount, TimeUnit unit) {
    advance(Duration.of(amount, unit.toChronoUnit()));
  }

  /**
   * Lets so much time pass, with all that is due on the way, in its order; returns when all that
   * follows from it is done. What clients over HTTP make of it is up to them: requests of theirs
   * that are under way are waited for, those that they will make are not.
   *
   * @throws IllegalArgumentException where the time is negative
   */
  public void advance(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("time does not go back by " + time);
    }
    advanceTo(instant().plus(time));
  }

  /** As {@link #advance(Duration)}, up to a point in time; one that has passed changes nothing. */
  public void advanceTo(Instant then) {
    BlockingAnswers.within(PATIENCE, driver.pass(then), "the control plane did not get to " + then);
    settle();
  }

  /** Returns when nothing is left to do now. */
  public void settle() {
    BlockingAnswers.within(PATIENCE, driver.rest(), "the control plane did not come to rest");
  }
}
