package dev.stint.model.cron;

import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of a CronJob: the value of {@code spec.schedule}.
 *
 * <p>Five fields (minute, hour, day of month, month, day of week), the names {@code @hourly},
 * {@code @daily} and so on, or {@code @every 1h30m}, as in the CronJob documentation. This class
 * accepts what Kubernetes accepts, oddities included: {@code ?} is {@code *}, Sunday is 0 but not
 * 7, and if both days are restricted, either matches.
 *
 * <pre>{@code
 * CronSchedule nightly = CronSchedule.parse("30 2 * * *");
 * Instant due = nightly.next(now, ZoneId.of("Europe/Berlin"));
 * }</pre>
 */
public sealed interface CronSchedule permits CronExpression, IntervalSchedule, ZonedSchedule {
  /** Thrown for text that is not a schedule. The message describes the fault. */
  final class FormatException extends Exception {
    private static final long serialVersionUID = 1L;

    FormatException(String message) {
      super(message);
    }
  }

  /**
   * Parses a schedule. The prefixes {@code TZ=} and {@code CRON_TZ=} are accepted, since old
   * CronJobs have them; their zone then applies.
   *
   * @throws FormatException if the text is not a schedule
   */
  static CronSchedule parse(String text) throws FormatException {
    return CronScheduleParser.parse(text);
  }

  /**
   * Returns the first due time after {@code after}, in whole seconds; null if there is none in the
   * next five years, as for February 30.
   *
   * <p>Fields are matched against local time: a time that the change to summer time skips is not
   * due on that day, and one that the change back repeats is due twice.
   *
   * @param zone the zone of the local time
   */
  @Nullable Instant next(Instant after, ZoneId zone);

  /**
   * Returns the last due time up to {@code until}, of those that {@link #next} gives one after the
   * other from {@code after}; null if there is none. The cost does not grow with the length of that
   * time.
   *
   * @param until the last moment that counts
   */
  @Nullable Instant latest(Instant after, Instant until, ZoneId zone);
}
