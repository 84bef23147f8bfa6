package dev.stint.runner;

import java.time.Duration;

/**
 * A delay that doubles.
 *
 * @param first the delay after the first failure
 * @param max where the doubling ends
 */
public record BackOff(Duration first, Duration max) {
  /** Between restarts of a container ("Container restart policy" of the pod life cycle). */
  public static final BackOff CRASH_LOOP =
      new BackOff(Duration.ofSeconds(10), Duration.ofMinutes(5));

  /** Between looks whether what a container needs is there. */
  public static final BackOff PREPARATION =
      new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(10));

  /** Between tries of a request that may yet succeed. */
  public static final BackOff REQUEST = new BackOff(Duration.ofMillis(100), Duration.ofSeconds(10));

  /** The delay after so many failures in a row; none after none. */
  public Duration after(int failures) {
    if (failures <= 0) {
      return Duration.ZERO;
    }
    Duration delay = first.multipliedBy(1L << Math.min(failures - 1, 30));
    return delay.compareTo(max) < 0 ? delay : max;
  }
}
