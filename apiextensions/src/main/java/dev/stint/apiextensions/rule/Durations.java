package dev.stint.apiextensions.rule;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;

/** Reads durations such as {@code 1h30m} and {@code 2 days}. */
final class Durations {
  private static final Pattern WHOLE = Pattern.compile("[-+]?([0-9.]+ *[a-zµ]+ *)+|[-+]?0");
  private static final Pattern PART = Pattern.compile("([0-9.]+) *([a-zµ]+)");

  /** Nanoseconds by the first letters of a unit. */
  private static final Map<String, Long> UNITS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L,
          "d", 86_400_000_000_000L,
          "w", 604_800_000_000_000L);

  private Durations() {}

  /**
   * Parses a duration.
   *
   * @throws IllegalArgumentException if the text is not a duration
   */
  static Duration parse(String text) {
    String trimmed = text.trim();
    if (!WHOLE.matches(trimmed)) {
      throw new IllegalArgumentException("not a duration");
    }
    BigDecimal nanos = BigDecimal.ZERO;
    Matcher parts = PART.matcher(trimmed);
    while (parts.find()) {
      nanos = nanos.add(new BigDecimal(parts.group(1)).multiply(BigDecimal.valueOf(unit(parts))));
    }
    Duration duration = Duration.ofNanos(nanos.longValue());
    return trimmed.startsWith("-") ? duration.negated() : duration;
  }

  private static long unit(Matcher part) {
    String name = part.group(2);
    Long exact = UNITS.get(name);
    Long unit = exact == null ? UNITS.get(name.substring(0, 1)) : exact;
    if (unit == null) {
      throw new IllegalArgumentException("not a duration");
    }
    return unit;
  }
}
