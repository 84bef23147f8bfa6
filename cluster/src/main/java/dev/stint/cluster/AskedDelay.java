package dev.stint.cluster;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long to leave an API alone that asks for it ({@code Retry-After}). */
public final class AskedDelay {
  /** The most that an API may ask for. */
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private AskedDelay() {}

  /**
   * A delay that is no shorter than the API asks for, within reason: 5 seconds.
   *
   * @param asked null where it asks for nothing
   */
  public static Duration atLeast(Duration delay, @Nullable Duration asked) {
    if (asked == null || asked.compareTo(delay) <= 0) {
      return delay;
    }
    Duration within = asked.compareTo(LONGEST) < 0 ? asked : LONGEST;
    return within.compareTo(delay) < 0 ? delay : within;
  }
}
