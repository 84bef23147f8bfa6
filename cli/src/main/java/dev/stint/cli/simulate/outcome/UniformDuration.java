package dev.stint.cli.simulate.outcome;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * A random duration: uniform from {@code middle - most} to {@code middle + most}.
 *
 * @param most the largest distance from the middle, no more than the middle
 */
public record UniformDuration(Duration middle, Duration most) {
  public UniformDuration {
    if (most.compareTo(middle) > 0) {
      throw new IllegalArgumentException("the deviation must not be larger than the duration");
    }
  }

  /** Draws a duration, in whole milliseconds. */
  Duration draw(RandomGenerator random) {
    long width = most.toMillis();
    return width == 0
        ? middle
        : Duration.ofMillis(middle.toMillis() + random.nextLong(-width, width + 1));
  }
}
