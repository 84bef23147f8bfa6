package dev.stint.model;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Points in time as Kubernetes writes them: UTC, whole seconds, {@code 2026-01-31T12:00:00Z}. */
public final class Timestamps {
  private static final String USUAL = "0000-00-00T00:00:00Z";

  private static final Pattern STRICT =
      Pattern.compile(
          "(?<date>[0-9]{4}-[0-9]{2}-[0-9]{2})T"
              + "(?<hour>[0-9]{1,2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2})"
              + "(?:[.,](?<fraction>[0-9]+))?(?<zone>Z|[+-][0-9]{2}:[0-9]{2})");

  // The first and last times that this format can express.
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private Timestamps() {}

  /** Formats a time, truncated to whole seconds. */
  public static String format(Instant time) {
    if (!isInRange(time)) {
      return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
    LocalDateTime utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), 0, ZoneOffset.UTC);
    char[] text = USUAL.toCharArray();
    write(utc.getYear(), text, 0, 4);
    write(utc.getMonthValue(), text, 5, 7);
    write(utc.getDayOfMonth(), text, 8, 10);
    write(utc.getHour(), text, 11, 13);
    write(utc.getMinute(), text, 14, 16);
    write(utc.getSecond(), text, 17, 19);
    return new String(text);
  }

  /** Formats a time with milliseconds, unless it is a whole second: for our own records. */
  public static String formatMillis(Instant time) {
    int millis = time.get(ChronoField.MILLI_OF_SECOND);
    String seconds = format(time);
    if (millis == 0) {
      return seconds;
    }
    char[] fraction = {'.', '0', '0', '0', 'Z'};
    write(millis, fraction, 1, 4);
    return seconds.substring(0, seconds.length() - 1) + new String(fraction);
  }

  /** Parses an RFC 3339 time; null for null and for text that is not a time. */
  public static @Nullable Instant parse(@Nullable String text) {
    if (text == null) {
      return null;
    }
    Instant usual = parseUsual(text);
    if (usual != null) {
      return usual;
    }
    try {
      return text.endsWith("Z") ? Instant.parse(text) : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException notATime) {
      return null;
    }
  }

  /**
   * Parses a time as the API accepts it; null for other text. A capital T separates date and time,
   * and a fraction of a second may follow. A time that its offset moves out of the years 0000 to
   * 9999 is rejected, since its written form could not be read again.
   *
   * @param micros whether a fraction of exactly six digits is required, as in a MicroTime
   */
  public static @Nullable Instant parseStrictly(String text, boolean micros) {
    Matcher matcher = STRICT.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    String fraction = matcher.group("fraction");
    if (micros && (fraction == null || fraction.length() != 6)) {
      return null;
    }
    try {
      LocalDateTime local =
          LocalDate.parse(matcher.group("date"))
              .atTime(
                  Integer.parseInt(matcher.group("hour")),
                  Integer.parseInt(matcher.group("minute")),
                  Integer.parseInt(matcher.group("second")),
                  nanos(fraction));
      Instant time = offset(local.toInstant(ZoneOffset.UTC), matcher.group("zone"));
      return time == null || !isInRange(time) ? null : time;
    } catch (DateTimeException outOfRange) {
      return null;
    }
  }

  private static boolean isInRange(Instant time) {
    return !time.isBefore(FIRST) && !time.isAfter(LAST);
  }

  private static int nanos(@Nullable String fraction) {
    return fraction == null ? 0 : Integer.parseInt((fraction + "000000000").substring(0, 9));
  }

  private static @Nullable Instant offset(Instant local, String zone) {
    if (zone.equals("Z")) {
      return local;
    }
    int hours = Integer.parseInt(zone, 1, 3, 10);
    int minutes = Integer.parseInt(zone, 4, 6, 10);
    long seconds = (hours * 60L + minutes) * 60;
    return hours > 24 || minutes > 60
        ? null
        : local.plusSeconds(zone.startsWith("-") ? seconds : -seconds);
  }

  /**
   * Parses the one form that {@link #format} writes, the most frequent by far; null for other
   * texts.
   */
  private static @Nullable Instant parseUsual(String text) {
    if (!isUsual(text)) {
      return null;
    }
    try {
      return LocalDateTime.of(
              number(text, 0, 4),
              number(text, 5, 7),
              number(text, 8, 10),
              number(text, 11, 13),
              number(text, 14, 16),
              number(text, 17, 19))
          .toInstant(ZoneOffset.UTC);
    } catch (DateTimeException outOfRange) {
      return null;
    }
  }

  private static boolean isUsual(String text) {
    if (text.length() != USUAL.length()) {
      return false;
    }
    for (int i = 0; i < USUAL.length(); i++) {
      char wanted = USUAL.charAt(i);
      char found = text.charAt(i);
      if (wanted == '0' ? found < '0' || found > '9' : found != wanted) {
        return false;
      }
    }
    return true;
  }

  private static void write(int number, char[] text, int from, int to) {
    int rest = number;
    for (int i = to - 1; i >= from; i--) {
      text[i] = (char) ('0' + rest % 10);
      rest /= 10;
    }
  }

  private static int number(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }
}
