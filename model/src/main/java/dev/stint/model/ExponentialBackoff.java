package dev.stint.model;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * A delay that doubles with every failure in a row: {@code base}, twice that, four times that, up
 * to {@code max}. Failed pods are replaced after it (KEP-3850, Exponential backoff delay per
 * index), containers are restarted and requests are retried after it.
 *
 * @param base the delay after the first failure
 * @param max the longest delay
 */
public record ExponentialBackoff(Duration base, Duration max) {
  /** The largest exponent; a longer shift would not fit into a long. */
  private static final int MOST_DOUBLINGS = 30;

  /** Returns the delay after a number of failures in a row; zero after none. */
  public Duration delay(int failures) {
    if (failures <= 0) {
      return Duration.ZERO;
    }
    if (failures > MOST_DOUBLINGS + 1) {
      return max;
    }
    Duration delay = base.multipliedBy(1L << (failures - 1));
    return delay.compareTo(max) < 0 ? delay : max;
  }

  /**
   * Returns a random delay between half of the delay and all of it, so that simultaneous failures
   * are not all retried at once.
   */
  public Duration jittered(int failures, RandomGenerator random) {
    return Duration.ofNanos((long) (delay(failures).toNanos() * (0.5 + random.nextDouble() / 2)));
  }
}
