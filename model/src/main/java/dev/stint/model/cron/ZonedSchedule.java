package dev.stint.model.cron;

import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** {@code TZ=Europe/Berlin 30 2 * * *}: a schedule with its own zone. */
record ZonedSchedule(ZoneId own, CronSchedule schedule) implements CronSchedule {
  @Override
  public @Nullable Instant next(Instant after, ZoneId zone) {
    return schedule.next(after, own);
  }

  @Override
  public @Nullable Instant latest(Instant after, Instant until, ZoneId zone) {
    return schedule.latest(after, until, own);
  }
}
