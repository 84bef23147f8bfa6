package dev.stint.apiserver.table;

import dev.stint.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Formats ages like kubectl: {@code 5s}, {@code 2m3s}, {@code 2d5h}. */
final class AgeFormat {
  static final String UNKNOWN = "<unknown>";

  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final long YEAR = 365 * DAY;

  private AgeFormat() {}

  /** Returns the time since then, or {@code <unknown>} for null. */
  static String since(@Nullable Instant then, Instant now) {
    return then == null ? UNKNOWN : human(Duration.between(then, now));
  }

  /** Returns the time since then, like {@link #since(Instant, Instant)}, for a time's text. */
  static String since(String then, Instant now) {
    return since(Timestamps.parse(then), now);
  }

  /** Returns at most two units, and only one if the second says little; the rest is truncated. */
  static String human(Duration duration) {
    long seconds = duration.toMillis() / 1000;
    if (seconds < 0) {
      return seconds < -1 ? "<invalid>" : "0s";
    }
    if (seconds < 2 * MINUTE) {
      return seconds + "s";
    }
    if (seconds < 10 * MINUTE) {
      return two(seconds, MINUTE, "m", 1, "s");
    }
    if (seconds < 3 * HOUR) {
      return seconds / MINUTE + "m";
    }
    if (seconds < 8 * HOUR) {
      return two(seconds, HOUR, "h", MINUTE, "m");
    }
    if (seconds < 2 * DAY) {
      return seconds / HOUR + "h";
    }
    if (seconds < 8 * DAY) {
      return two(seconds, DAY, "d", HOUR, "h");
    }
    if (seconds < 2 * YEAR) {
      return seconds / DAY + "d";
    }
    return seconds < 8 * YEAR ? two(seconds, YEAR, "y", DAY, "d") : seconds / YEAR + "y";
  }

  private static String two(
      long seconds, long unit, String letter, long smaller, String smallerLetter) {
    long rest = seconds % unit / smaller;
    return seconds / unit + letter + (rest == 0 ? "" : rest + smallerLetter);
  }
}
