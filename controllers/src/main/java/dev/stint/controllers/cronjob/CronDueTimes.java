package dev.stint.controllers.cronjob;

import dev.stint.model.cron.CronSchedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The times at which a CronJob is due, seen from now.
 *
 * @param latest the latest due time since the CronJob was last started; null if there is none
 * @param late whether that was longer ago than the CronJob's starting deadline
 * @param manyMissed whether more than {@value #MANY} came, as after a long stop or a wrong clock
 * @param next the first due time in the future; null if there is none
 */
record CronDueTimes(
    @Nullable Instant latest, boolean late, boolean manyMissed, @Nullable Instant next) {
  private static final int MANY = 100;

  /** A thousand years: a longer deadline never passes, and would overflow an Instant. */
  private static final Duration FOREVER = Duration.ofDays(1000L * 365);

  /**
   * @param since when the CronJob was last started, or created if it never was
   * @param deadline how late it may be started; null for no limit
   */
  static CronDueTimes of(
      CronSchedule schedule, ZoneId zone, Instant since, @Nullable Duration deadline, Instant now) {
    Instant latest = schedule.latest(since, now, zone);
    Instant oldest =
        deadline == null || deadline.compareTo(FOREVER) > 0
            ? since
            : later(since, now.minus(deadline));
    boolean late = latest != null && latest.isBefore(oldest);
    boolean many = latest != null && !late && hasMissedMany(schedule, zone, oldest, now);
    return new CronDueTimes(
        latest, late, many, schedule.next(latest == null ? since : latest, zone));
  }

  private static boolean hasMissedMany(
      CronSchedule schedule, ZoneId zone, Instant since, Instant now) {
    Instant time = since;
    for (int i = 0; i <= MANY; i++) {
      time = schedule.next(time, zone);
      if (time == null || time.isAfter(now)) {
        return false;
      }
    }
    return true;
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }
}
