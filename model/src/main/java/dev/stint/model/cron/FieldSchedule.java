package dev.stint.model.cron;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import org.jspecify.annotations.Nullable;

/** The five fields. */
record FieldSchedule(
    CronField minute, CronField hour, CronField dayOfMonth, CronField month, CronField dayOfWeek)
    implements CronSchedule {
  private static final int YEARS_AHEAD = 5;

  @Override
  public @Nullable Instant next(Instant after, ZoneId zone) {
    if (neverDue()) {
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

  /** Looks back from the end, twice as far each time, until there is something to be found. */
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

  /** A field such as "," is read, and names nothing. */
  private boolean neverDue() {
    return minute.isEmpty()
        || hour.isEmpty()
        || month.isEmpty()
        || dayOfMonth.isEmpty() && dayOfWeek.isEmpty();
  }

  /** Where one of the days is "*", the other decides; where neither is, either may. */
  private boolean matches(LocalDate date) {
    boolean ofMonth = dayOfMonth.has(date.getDayOfMonth());
    boolean ofWeek = dayOfWeek.has(date.getDayOfWeek().getValue() % 7);
    boolean day = dayOfMonth.any() || dayOfWeek.any() ? ofMonth && ofWeek : ofMonth || ofWeek;
    return day && month.has(date.getMonthValue());
  }

  /** The next date that matches, or the first one of a year that is too late. */
  private LocalDate nextMatching(LocalDate date, int lastYear) {
    LocalDate next = date.plusDays(1);
    while (!matches(next) && next.getYear() <= lastYear) {
      next =
          month.has(next.getMonthValue()) ? next.plusDays(1) : next.withDayOfMonth(1).plusMonths(1);
    }
    return next;
  }

  /**
   * So many seconds later, but not past a change of the zone's offset, after which the clock on the
   * wall must be looked at again.
   */
  private static ZonedDateTime later(ZonedDateTime time, int seconds) {
    ZonedDateTime later = time.plusSeconds(seconds);
    ZoneOffsetTransition change = time.getZone().getRules().nextTransition(time.toInstant());
    return change != null && change.getInstant().isBefore(later.toInstant())
        ? change.getInstant().atZone(time.getZone())
        : later;
  }
}
