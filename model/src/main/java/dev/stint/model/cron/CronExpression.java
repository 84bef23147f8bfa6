package dev.stint.model.cron;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import org.jspecify.annotations.Nullable;

/** A schedule of five fields. */
record CronExpression(
    CronField minute, CronField hour, CronField dayOfMonth, CronField month, CronField dayOfWeek)
    implements CronSchedule {
  private static final int YEARS_AHEAD = 5;

  @Override
  public @Nullable Instant next(Instant after, ZoneId zone) {
    if (isNeverDue()) {
      return null;
    }
    ZonedDateTime time = after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1).atZone(zone);
    int lastYear = time.getYear() + YEARS_AHEAD;
    while (time.getYear() <= lastYear) {
      if (!matches(time.toLocalDate())) {
        time = nextMatching(time.toLocalDate(), lastYear).atStartOfDay(zone);
      } else if (!hour.has(time.getHour())) {
        time = later(time, 3600 - 60 * time.getMinute() - time.getSecond());
      } else if (!minute.has(time.getMinute()) || time.getSecond() != 0) {
        time = later(time, 60 - time.getSecond());
      } else {
        return time.toInstant();
      }
    }
    return null;
  }

  /** Searches backwards from the end, twice as far each time, until a due time is found. */
  @Override
  public @Nullable Instant latest(Instant after, Instant until, ZoneId zone) {
    for (Duration back = Duration.ofHours(1); after.isBefore(until); back = back.multipliedBy(2)) {
      boolean all = Duration.between(after, until).compareTo(back) <= 0;
      Instant found = last(all ? after : until.minus(back), until, zone);
      if (all || found != null) {
        return found;
      }
    }
    return null;
  }

  private @Nullable Instant last(Instant after, Instant until, ZoneId zone) {
    Instant last = null;
    Instant time = next(after, zone);
    while (time != null && !time.isAfter(until)) {
      last = time;
      time = next(time, zone);
    }
    return last;
  }

  /** True if a field has no values; a field such as "," is valid. */
  private boolean isNeverDue() {
    return minute.isEmpty()
        || hour.isEmpty()
        || month.isEmpty()
        || dayOfMonth.isEmpty() && dayOfWeek.isEmpty();
  }

  /**
   * True if the schedule includes the date. If one of the day fields is "*", the other decides; if
   * neither is, either may match.
   */
  private boolean matches(LocalDate date) {
    boolean ofMonth = dayOfMonth.has(date.getDayOfMonth());
    boolean ofWeek = dayOfWeek.has(date.getDayOfWeek().getValue() % 7);
    boolean day = dayOfMonth.any() || dayOfWeek.any() ? ofMonth && ofWeek : ofMonth || ofWeek;
    return day && month.has(date.getMonthValue());
  }

  /** Returns the next matching date, or the first one of a year after {@code lastYear}. */
  private LocalDate nextMatching(LocalDate date, int lastYear) {
    LocalDate next = date.plusDays(1);
    while (!matches(next) && next.getYear() <= lastYear) {
      next =
          month.has(next.getMonthValue()) ? next.plusDays(1) : next.withDayOfMonth(1).plusMonths(1);
    }
    return next;
  }

  /**
   * Returns the time plus some seconds, but at most the next change of the zone's offset, after
   * which the local time has to be matched again.
   */
  private static ZonedDateTime later(ZonedDateTime time, int seconds) {
    ZonedDateTime later = time.plusSeconds(seconds);
    ZoneOffsetTransition change = time.getZone().getRules().nextTransition(time.toInstant());
    return change != null && change.getInstant().isBefore(later.toInstant())
        ? change.getInstant().atZone(time.getZone())
        : later;
  }
}
