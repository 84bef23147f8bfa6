package dev.stint.model.cron;

import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * When a CronJob is due: the value of {@code spec.schedule}.
 *
 * <p>Five fields (minute, hour, day of month, month, day of week), the names {@code @hourly},
 * {@code @daily} and so on, or {@code @every 1h30m}, as the CronJob documentation states them. What
 * Kubernetes takes is taken here, oddities included: {@code ?} is {@code *}, Sunday is 0 but not 7,
 * and where both days are restricted, either will do.
 *
 * <pre>{@code
 * CronSchedule nightly = CronSchedule.parse("30 2 * * *");
 * Instant due = nightly.next(now, ZoneId.of("Europe/Berlin"));
 * }</pre>
 */
public sealed interface CronSchedule permits FieldSchedule, IntervalSchedule, ZonedSchedule {
  /** Text that is no schedule. The message says what is wrong. */
  final class FormatException extends Exception {
    private static final long serialVersionUID = 1L;

    FormatException(String message) {
      super(message);
    }
  }

  /**
   * Reads a schedule. One that starts with {@code TZ=} or {@code CRON_TZ=} is read too, since
   * CronJobs from before that was forbidden have it; the zone that it names then holds.
   *
   * @throws FormatException where the text is none
   */
  static CronSchedule parse(String text) throws FormatException {
    return ScheduleText.parse(text);
  }

  /**
   * The first time after {@code after} at which this is due, in whole seconds; null where there is
   * none in the next five years, as for February 30.
   *
   * <p>Fields are matched against the clock on the wall: a time that a change to summer time leaves
   * out does not come that day, and one that the change back repeats comes twice.
   *
   * @param zone whose wall the clock hangs on
   */
  @Nullable Instant next(Instant after, ZoneId zone);

  /**
   * The last time at which this was due, of those that {@link #next} gives one after the other from
   * {@code after}; null where none came until then. Takes no longer for a long time than for a
   * short one.
   *
   * @param until the last moment that counts
   */
  @Nullable Instant latest(Instant after, Instant until, ZoneId zone);
}
