package dev.stint.apiextensions.value;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.stint.model.GoDuration;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads durations such as {@code 1h30m} and {@code 2 days}. */
public final class Durations {
  /**
   * An amount and a unit. A 64-bit number has at most nineteen digits; longer ones take long to be
   * converted.
   */
  private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,19})\\s*([a-z]+)");

  /** Nanoseconds by unit. */
  private static final Map<String, Long> UNITS = new HashMap<>();

  static {
    add(1L, "ns", "nano", "nanosecond");
    add(1_000L, "us", "micro", "microsecond");
    add(1_000_000L, "ms", "milli", "millisecond");
    add(1_000_000_000L, "s", "sec", "second");
    add(60_000_000_000L, "m", "min", "minute");
    add(3_600_000_000_000L, "h", "hr", "hour");
    add(86_400_000_000_000L, "d", "day");
    add(604_800_000_000_000L, "w", "wk", "week");
  }

  private Durations() {}

  private static void add(long nanos, String symbol, String... words) {
    UNITS.put(symbol, nanos);
    for (String word : words) {
      UNITS.put(word, nanos);
      UNITS.put(word + "s", nanos);
    }
  }

  /** Returns the duration; null if the text is none. */
  public static @Nullable Duration parse(String text) {
    Duration duration = GoDuration.parse(text);
    return duration == null ? amount(text) : duration;
  }

  /** Returns an amount in nanoseconds, which may overflow as in Kubernetes. */
  private static @Nullable Duration amount(String text) {
    Matcher parts = AMOUNT.matcher(text);
    Long unit = parts.matches() ? UNITS.get(parts.group(2)) : null;
    if (unit == null) {
      return null;
    }
    try {
      return Duration.ofNanos(Long.parseLong(parts.group(1)) * unit);
    } catch (NumberFormatException beyond64Bits) {
      return null;
    }
  }
}
