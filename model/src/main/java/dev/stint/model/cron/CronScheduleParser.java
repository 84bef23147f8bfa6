package dev.stint.model.cron;

import dev.stint.model.GoDuration;
import dev.stint.model.cron.CronField.Unit;
import dev.stint.model.cron.CronSchedule.FormatException;
import dev.stint.model.field.MessagePhrases;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Reads schedules. */
final class CronScheduleParser {
  private static final int FIELDS = 5;
  private static final String EVERY = "@every ";
  private static final List<String> ZONE_PREFIXES = List.of("TZ=", "CRON_TZ=");
  private static final Map<String, String> NAMED =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");

  private CronScheduleParser() {}

  static CronSchedule parse(String text) throws FormatException {
    for (String prefix : ZONE_PREFIXES) {
      if (text.startsWith(prefix)) {
        return zoned(text.substring(prefix.length()));
      }
    }
    return unzoned(text);
  }

  /** Parses a schedule that names no zone: what follows a zone may not name another one. */
  private static CronSchedule unzoned(String text) throws FormatException {
    if (text.startsWith(EVERY)) {
      return new IntervalSchedule(interval(text.substring(EVERY.length())));
    }
    if (!text.startsWith("@")) {
      return fields(text);
    }
    String fields = NAMED.get(text);
    if (fields == null) {
      throw new FormatException(
          MessagePhrases.notOneOf(text, NAMED.keySet()) + ", and not of the form @every 1h30m");
    }
    return fields(fields);
  }

  private static Duration interval(String text) throws FormatException {
    Duration interval = GoDuration.parse(text);
    if (interval == null) {
      throw new FormatException(
          "@every " + MessagePhrases.quoted(text) + " needs a duration such as 30s, 5m or 1h30m");
    }
    return interval;
  }

  private static CronSchedule zoned(String text) throws FormatException {
    int space = text.indexOf(' ');
    String name = space < 0 ? text : text.substring(0, space);
    ZoneId zone = TimeZones.find(name);
    if (zone == null) {
      throw new FormatException(MessagePhrases.quoted(name) + " is not a known time zone");
    }
    return new ZonedSchedule(zone, unzoned(space < 0 ? "" : text.substring(space).strip()));
  }

  private static CronSchedule fields(String text) throws FormatException {
    List<String> fields =
        Arrays.stream(text.split("\\s+", -1)).filter(field -> !field.isEmpty()).toList();
    if (fields.size() != FIELDS) {
      throw new FormatException(
          MessagePhrases.quoted(text)
              + " must have five fields (minute, hour, day of month, month, day of week); it has "
              + fields.size());
    }
    return new CronExpression(
        CronField.parse(fields.get(0), Unit.MINUTE),
        CronField.parse(fields.get(1), Unit.HOUR),
        CronField.parse(fields.get(2), Unit.DAY_OF_MONTH),
        CronField.parse(fields.get(3), Unit.MONTH),
        CronField.parse(fields.get(4), Unit.DAY_OF_WEEK));
  }
}
