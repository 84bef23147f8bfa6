package dev.stint.cli.simulate;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * A span of time that varies: evenly anywhere from {@code middle - most} to {@code middle + most}.
 *
 * @param most how far it is from the middle at most, no more than the middle
 */
public record Spread(Duration middle, Duration most) {
  public Spread {
    if (most.compareTo(middle) > 0) {
      throw new IllegalArgumentException("a pod can't run for less than no time");
    }
  }

  /** One of them, in whole milliseconds. */
  Duration draw(RandomGenerator random) {
    long width = most.toMillis();
    return width == 0
        ? middle
        : Duration.ofMillis(middle.toMillis() + random.nextLong(-width, width + 1));
  }
}
