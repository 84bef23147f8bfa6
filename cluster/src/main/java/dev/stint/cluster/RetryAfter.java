package dev.stint.cluster;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header {@code Retry-After} (RFC 9110, 10.2.3), which Kubernetes writes in whole
 * seconds.
 */
public final class RetryAfter {
  /** The longest delay that an API may ask for. */
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

  private RetryAfter() {}

  /** Returns the delay in a header; null if there is no header, or one of another form. */
  public static @Nullable Duration of(@Nullable String header) {
    return header != null && SECONDS.matcher(header.strip()).matches()
        ? Duration.ofSeconds(Integer.parseInt(header.strip()))
        : null;
  }

  /**
   * Returns a delay that is no shorter than the API asks for, up to 5 seconds.
   *
   * @param delay the delay to use in any case
   * @param asked the delay that the API asks for; null if it asks for none
   */
  public static Duration atLeast(Duration delay, @Nullable Duration asked) {
    if (asked == null || asked.compareTo(delay) <= 0) {
      return delay;
    }
    Duration within = asked.compareTo(LONGEST) < 0 ? asked : LONGEST;
    return within.compareTo(delay) < 0 ? delay : within;
  }
}
