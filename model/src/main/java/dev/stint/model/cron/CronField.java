package dev.stint.model.cron;

import dev.stint.model.cron.CronSchedule.FormatException;
import dev.stint.model.field.MessagePhrases;
import java.util.List;
import java.util.Locale;

/**
 * The values of one field of a schedule.
 *
 * @param values one bit per value
 * @param any whether the field says {@code *}, which leaves the choice of days to the other field
 */
record CronField(long values, boolean any) {
  /**
   * The range of a field, from {@code least} to {@code most}; names stand for numbers from {@code
   * least} on.
   */
  record Unit(String words, int least, int most, List<String> names) {
    static final Unit MINUTE = new Unit("minute", 0, 59, List.of());
    static final Unit HOUR = new Unit("hour", 0, 23, List.of());
    static final Unit DAY_OF_MONTH = new Unit("day of month", 1, 31, List.of());
    static final Unit MONTH =
        new Unit(
            "month",
            1,
            12,
            List.of(
                "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov",
                "dec"));
    static final Unit DAY_OF_WEEK =
        new Unit("day of week", 0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat"));
  }

  boolean has(int value) {
    return (values >>> value & 1) != 0;
  }

  boolean isEmpty() {
    return values == 0;
  }

  /** Parses a list such as {@code 1,10-20/5}; empty items are skipped, as in Kubernetes. */
  static CronField parse(String text, Unit unit) throws FormatException {
    long values = 0;
    boolean any = false;
    for (String item : text.split(",", -1)) {
      if (!item.isEmpty()) {
        CronField range = range(item, unit);
        values |= range.values;
        any |= range.any;
      }
    }
    return new CronField(values, any);
  }

  private static CronField range(String text, Unit unit) throws FormatException {
    String[] parts = text.split("/", -1);
    String[] ends = parts[0].split("-", -1);
    if (parts.length > 2) {
      throw fault(text, unit, "has more than one \"/\"");
    }
    boolean any = ends[0].equals("*") || ends[0].equals("?");
    if (!any && ends.length > 2) {
      throw fault(text, unit, "has more than one \"-\"");
    }
    int first = any ? unit.least : value(ends[0], text, unit);
    int last = any ? unit.most : value(ends[ends.length - 1], text, unit);
    int step = parts.length == 1 ? 1 : number(parts[1], text, unit);
    if (parts.length == 2 && ends.length == 1) {
      last = unit.most;
    }
    check(first, last, step, text, unit);
    long values = 0;
    for (long value = first; value <= last; value += step) {
      values |= 1L << value;
    }
    return new CronField(values, any && step == 1);
  }

  private static void check(int first, int last, int step, String text, Unit unit)
      throws FormatException {
    if (first < unit.least || last > unit.most) {
      throw fault(text, unit, "must be from " + unit.least + " to " + unit.most);
    }
    if (first > last) {
      throw fault(text, unit, "ends before it starts");
    }
    if (step == 0) {
      throw fault(text, unit, "must have a step of 1 or more");
    }
  }

  private static int value(String value, String text, Unit unit) throws FormatException {
    int named = unit.names.indexOf(value.toLowerCase(Locale.ROOT));
    return named >= 0 ? named + unit.least : number(value, text, unit);
  }

  private static int number(String number, String text, Unit unit) throws FormatException {
    String digits = number.startsWith("+") ? number.substring(1) : number;
    if (!digits.matches("[0-9]{1,18}")) {
      throw fault(text, unit, MessagePhrases.quoted(number) + " is not a number");
    }
    // A step may be arbitrarily large, and then selects the first value only.
    return (int) Math.min(Long.parseLong(digits), Integer.MAX_VALUE);
  }

  private static FormatException fault(String text, Unit unit, String complaint) {
    return new FormatException(unit.words + " " + MessagePhrases.quoted(text) + ": " + complaint);
  }
}
