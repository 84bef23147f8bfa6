package dev.stint.cli.flag;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats durations: {@code 90s}, {@code 5m}, {@code 1h30m}. */
public final class DurationConverter {
  private static final Pattern PART = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|d|h|m|s)");
  private static final Pattern WHOLE = Pattern.compile("(?:" + PART.pattern() + ")+");

  private DurationConverter() {}

  /**
   * Parses a duration with its units.
   *
   * @throws IllegalArgumentException with a message for the user if the text is malformed
   */
  public static Duration parse(String text) {
    if (!WHOLE.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a duration with its unit, such as 500ms, 90s, 5m, 1h30m or 7d");
    }
    Duration sum = Duration.ZERO;
    for (Matcher part = PART.matcher(text); part.find(); ) {
      BigDecimal nanos =
          new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit(part.group(2)).toNanos()));
      sum = sum.plus(ofNanos(nanos));
    }
    return sum;
  }

  /**
   * Returns the duration, cut to milliseconds, in the form that {@link #parse} reads; {@code 0s} if
   * nothing is left.
   */
  public static String format(Duration span) {
    StringBuilder text = new StringBuilder();
    append(text, span.toHours(), "h");
    append(text, span.toMinutesPart(), "m");
    append(text, span.toSecondsPart(), "s");
    append(text, span.toMillisPart(), "ms");
    return text.isEmpty() ? "0s" : text.toString();
  }

  /** Returns a rounded duration for people: whole seconds, and no seconds from an hour on. */
  public static String brief(Duration span) {
    return span.toHours() > 0
        ? format(Duration.ofMinutes(span.toMinutes()))
        : format(Duration.ofSeconds(span.toSeconds()));
  }

  /**
   * Returns how long something took: in milliseconds below a second, in tenths below ten seconds.
   * Zero is {@code <1s}, since Kubernetes' times are in whole seconds.
   */
  public static String took(Duration span) {
    if (span.isZero()) {
      return "<1s";
    }
    boolean exact = span.toSeconds() < 10 && span.toMillisPart() > 0;
    return !exact
        ? brief(span)
        : span.toSeconds() < 1
            ? span.toMillisPart() + "ms"
            : String.format(Locale.ROOT, "%d.%ds", span.toSeconds(), span.toMillisPart() / 100);
  }

  private static Duration unit(String name) {
    return switch (name) {
      case "d" -> Duration.ofDays(1);
      case "h" -> Duration.ofHours(1);
      case "m" -> Duration.ofMinutes(1);
      case "s" -> Duration.ofSeconds(1);
      default -> Duration.ofMillis(1);
    };
  }

  private static Duration ofNanos(BigDecimal nanos) {
    BigDecimal[] parts = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000));
    return Duration.ofSeconds(parts[0].longValue(), parts[1].longValue());
  }

  private static void append(StringBuilder text, long amount, String unit) {
    if (amount != 0) {
      text.append(amount).append(unit);
    }
  }
}
