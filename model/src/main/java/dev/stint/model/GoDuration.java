package dev.stint.model;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses durations as Go does: {@code 1h30m}, {@code 1.5h}, {@code 90s}. */
public final class GoDuration {
  private static final Pattern PART =
      Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");
  private static final int LONGEST_TEXT = 100;
  private static final Map<String, BigDecimal> NANOS =
      Map.of(
          "ns", BigDecimal.ONE,
          "us", new BigDecimal("1000"),
          "µs", new BigDecimal("1000"),
          "μs", new BigDecimal("1000"),
          "ms", new BigDecimal("1000000"),
          "s", new BigDecimal("1000000000"),
          "m", new BigDecimal("60000000000"),
          "h", new BigDecimal("3600000000000"));

  private GoDuration() {}

  /** Returns the duration; null if the text is malformed or longer than 292 years. */
  public static @Nullable Duration parse(String text) {
    boolean signed = text.startsWith("-") || text.startsWith("+");
    String unsigned = signed ? text.substring(1) : text;
    if (unsigned.equals("0")) {
      return Duration.ZERO;
    }
    BigDecimal nanos = text.length() > LONGEST_TEXT ? BigDecimal.ZERO : sum(unsigned);
    if (nanos.signum() < 0
        || unsigned.isEmpty()
        || nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
        || text.length() > LONGEST_TEXT) {
      return null;
    }
    Duration duration = Duration.ofNanos(nanos.longValue());
    return text.startsWith("-") ? duration.negated() : duration;
  }

  /** Returns the sum in nanoseconds; -1 if the text is not a list of amounts with units. */
  private static BigDecimal sum(String text) {
    Matcher part = PART.matcher(text);
    BigDecimal nanos = BigDecimal.ZERO;
    int at = 0;
    while (at < text.length()) {
      if (!part.find(at) || part.start() != at) {
        return BigDecimal.ONE.negate();
      }
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(NANOS.get(part.group(2))));
      at = part.end();
    }
    return nanos;
  }
}
