package dev.stint.engine.policy;

import java.time.Duration;

/**
 * The delay before a failed pod is replaced: {@code base}, twice that, four times that, and so on,
 * up to {@code max} (KEP-3850, Exponential backoff delay per index).
 */
public record Backoff(Duration base, Duration max) {
  /** The delay after the n-th failure in a row; none for n = 0. */
  public Duration delay(int failures) {
    if (failures <= 0) {
      return Duration.ZERO;
    }
    if (failures > 31) {
      return max;
    }
    Duration delay = base.multipliedBy(1L << (failures - 1));
    return delay.compareTo(max) < 0 ? delay : max;
  }
}
