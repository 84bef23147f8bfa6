package dev.stint.model.cron;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * {@code @every 5m}: due at a fixed interval after the given time.
 *
 * @param every whole seconds, at least one
 */
record IntervalSchedule(Duration every) implements CronSchedule {
  private static final Instant END = Instant.parse("9999-12-31T23:59:59Z");

  IntervalSchedule {
    every = every.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : every;
    every = every.truncatedTo(ChronoUnit.SECONDS);
  }

  @Override
  public @Nullable Instant next(Instant after, ZoneId zone) {
    Instant second = after.truncatedTo(ChronoUnit.SECONDS);
    return Duration.between(second, END).compareTo(every) < 0 ? null : second.plus(every);
  }

  @Override
  public @Nullable Instant latest(Instant after, Instant until, ZoneId zone) {
    Instant second = after.truncatedTo(ChronoUnit.SECONDS);
    long times = Math.floorDiv(Duration.between(second, until).toSeconds(), every.toSeconds());
    return times < 1 ? null : second.plusSeconds(times * every.toSeconds());
  }
}
