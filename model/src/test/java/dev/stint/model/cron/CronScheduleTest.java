package dev.stint.model.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronScheduleTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "* * * * *          | 2026-01-01T00:00:30Z | 2026-01-01T00:01:00Z",
        "* * * * *          | 2026-01-01T00:01:00Z | 2026-01-01T00:02:00Z",
        "*/15 * * * *       | 2026-01-01T00:46:00Z | 2026-01-01T01:00:00Z",
        "10-20/5 * * * *    | 2026-01-01T00:16:00Z | 2026-01-01T00:20:00Z",
        "50/5 * * * *       | 2026-01-01T00:51:00Z | 2026-01-01T00:55:00Z",
        "0 9 * * MON-fri    | 2026-01-02T10:00:00Z | 2026-01-05T09:00:00Z",
        "0 0 ? Feb ?        | 2026-01-02T10:00:00Z | 2026-02-01T00:00:00Z",
        "0 0 31 * *         | 2026-01-31T00:00:00Z | 2026-03-31T00:00:00Z",
        "0 0 29 2 *         | 2026-01-01T00:00:00Z | 2028-02-29T00:00:00Z",
        "0 0 13 * 5         | 2026-11-01T00:00:00Z | 2026-11-06T00:00:00Z",
        "0 0 */2 * 1        | 2026-01-01T00:00:00Z | 2026-01-03T00:00:00Z",
        "0 0 */1 * 1        | 2026-01-01T00:00:00Z | 2026-01-05T00:00:00Z",
        "0 0 * * 0          | 2026-01-01T00:00:00Z | 2026-01-04T00:00:00Z",
        "59 23 31 12 *      | 2026-12-31T23:59:00Z | 2027-12-31T23:59:00Z",
        "5,,7 +1 * * *      | 2026-01-01T01:05:00Z | 2026-01-01T01:07:00Z",
        "5/99999999999 * * * * | 2026-01-01T00:06:00Z | 2026-01-01T01:05:00Z",
        "@yearly            | 2026-01-01T00:00:00Z | 2027-01-01T00:00:00Z",
        "@annually          | 2026-01-01T00:00:00Z | 2027-01-01T00:00:00Z",
        "@monthly           | 2026-01-01T00:00:00Z | 2026-02-01T00:00:00Z",
        "@weekly            | 2026-01-01T00:00:00Z | 2026-01-04T00:00:00Z",
        "@daily             | 2026-01-01T00:00:00Z | 2026-01-02T00:00:00Z",
        "@midnight          | 2026-01-01T00:00:00Z | 2026-01-02T00:00:00Z",
        "@hourly            | 2026-01-01T00:00:00Z | 2026-01-01T01:00:00Z",
        "@every 1h30m       | 2026-01-01T00:00:00.5Z | 2026-01-01T01:30:00Z",
        "@every 1.5h        | 2026-01-01T00:00:00Z | 2026-01-01T01:30:00Z",
        "@every 10ms        | 2026-01-01T00:00:00Z | 2026-01-01T00:00:01Z",
        "@every -5m         | 2026-01-01T00:00:00Z | 2026-01-01T00:00:01Z",
      })
  void isDueNext(String schedule, Instant after, Instant due) throws Exception {
    assertThat(CronSchedule.parse(schedule).next(after, ZoneOffset.UTC)).isEqualTo(due);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*/10 * * * *  | Europe/Berlin | 2026-03-01T00:00:00Z | 2026-04-01T00:00:00Z",
        "30 2 * * *    | Europe/Berlin | 2026-01-01T00:00:00Z | 2026-12-01T00:00:00Z",
        "30 2 * * *    | Europe/Berlin | 2026-10-20T00:00:00Z | 2026-10-25T01:31:00Z",
        "0 0 29 2 *    | Asia/Tokyo    | 2024-01-01T00:00:00Z | 2027-05-01T00:00:00Z",
        "0 0 30 2 *    | UTC           | 2020-01-01T00:00:00Z | 2026-05-01T00:00:00Z",
        "* * 1 1 *     | UTC           | 2025-01-01T00:00:00Z | 2026-05-01T00:00:00Z",
        "@every 7m     | UTC           | 2026-01-01T00:00:03Z | 2026-01-02T00:00:00Z",
        "@every 7m     | UTC           | 2026-01-01T00:00:03Z | 2026-01-01T00:07:02Z",
        "@every 7m     | UTC           | 2026-01-01T00:00:03Z | 2026-01-01T00:07:03Z",
        "0 * * * *     | UTC           | 2026-01-01T00:00:00Z | 2026-01-01T01:00:00Z",
        "0 * * * *     | UTC           | 2026-01-01T01:00:00Z | 2026-01-01T00:00:00Z",
        "TZ=Asia/Tokyo 0 9 * * * | UTC | 2026-01-01T00:00:00Z | 2026-02-01T00:00:00Z",
      })
  void wasDueLastAtTheEndOfAllTimesThatCame(String text, ZoneId zone, Instant after, Instant until)
      throws Exception {
    CronSchedule schedule = CronSchedule.parse(text);
    Instant last = null;
    Instant time = schedule.next(after, zone);
    while (time != null && !time.isAfter(until)) {
      last = time;
      time = schedule.next(time, zone);
    }
    assertThat(schedule.latest(after, until, zone)).isEqualTo(last);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 0 30 2 *", "0 0 31 4,6,9,11 *", ", * * * *", "0 0 , * ,"})
  void mayNeverBeDue(String schedule) throws Exception {
    Instant after = Instant.parse("2026-01-01T00:00:00Z");
    assertThat(CronSchedule.parse(schedule).next(after, ZoneOffset.UTC)).isNull();
  }

  @Test
  void aTimeThatSummerTimeLeavesOutDoesNotComeThatDay() throws Exception {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    CronSchedule nightly = CronSchedule.parse("30 2 * * *");
    assertThat(nightly.next(Instant.parse("2026-03-28T02:00:00Z"), berlin))
        .isEqualTo(Instant.parse("2026-03-30T00:30:00Z"));
  }

  @Test
  void aTimeThatComesTwiceIsDueTwice() throws Exception {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    CronSchedule nightly = CronSchedule.parse("30 2 * * *");
    Instant first = nightly.next(Instant.parse("2026-10-24T12:00:00Z"), berlin);
    assertThat(first).isEqualTo(Instant.parse("2026-10-25T00:30:00Z"));
    assertThat(nightly.next(Objects.requireNonNull(first), berlin))
        .isEqualTo(Instant.parse("2026-10-25T01:30:00Z"));
  }

  @Test
  void aDayWithoutMidnightStartsLater() throws Exception {
    ZoneId saoPaulo = ZoneId.of("America/Sao_Paulo");
    Instant before = Instant.parse("2018-11-03T12:00:00Z");
    assertThat(CronSchedule.parse("0 5 4 11 *").next(before, saoPaulo))
        .isEqualTo(Instant.parse("2018-11-04T07:00:00Z"));
    assertThat(CronSchedule.parse("0 0 * * *").next(before, saoPaulo))
        .isEqualTo(Instant.parse("2018-11-05T02:00:00Z"));
  }

  @Test
  void aZoneInTheScheduleHolds() throws Exception {
    for (String prefix : List.of("TZ=", "CRON_TZ=")) {
      CronSchedule schedule = CronSchedule.parse(prefix + "Asia/Tokyo 0 9 * * *");
      assertThat(schedule.next(Instant.parse("2026-01-01T12:00:00Z"), ZoneOffset.UTC))
          .isEqualTo(Instant.parse("2026-01-02T00:00:00Z"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "* * * *        | '\"* * * *\" must have five fields (minute, hour, day of month, month, day of"
            + " week); it has 4'",
        "60 * * * *     | minute \"60\": must be from 0 to 59",
        "* 24 * * *     | hour \"24\": must be from 0 to 23",
        "* * 0 * *      | day of month \"0\": must be from 1 to 31",
        "* * * 13 *     | month \"13\": must be from 1 to 12",
        "* * * * 7      | day of week \"7\": must be from 0 to 6",
        "5-1 * * * *    | minute \"5-1\": ends before it starts",
        "1-2-3 * * * *  | minute \"1-2-3\": has more than one \"-\"",
        "*/0 * * * *    | minute \"*/0\": must have a step of 1 or more",
        "*/2/3 * * * *  | minute \"*/2/3\": has more than one \"/\"",
        "x * * * *      | minute \"x\": \"x\" is not a number",
        "-1 * * * *     | minute \"-1\": \"\" is not a number",
        "* * * foo *    | month \"foo\": \"foo\" is not a number",
        "* * * january *| month \"january\": \"january\" is not a number",
        "TZ=UTC TZ=UTC * * * * * | '\"TZ=UTC * * * * *\" must have five fields (minute, hour, day of"
            + " month, month, day of week); it has 6'",
        "TZ=UTC CRON_TZ=UTC @daily | '\"CRON_TZ=UTC @daily\" must have five fields (minute, hour, day"
            + " of month, month, day of week); it has 2'",
        "TZ=Nowhere * * * * * | \"Nowhere\" is not a known time zone",
        "@every 5       | @every \"5\" needs a duration such as 30s, 5m or 1h30m",
        "@every 5x      | @every \"5x\" needs a duration such as 30s, 5m or 1h30m",
      })
  void saysWhatIsWrong(String schedule, String message) {
    assertThatThrownBy(() -> CronSchedule.parse(schedule)).hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "@", "@reboot", "@Hourly", "@every", "@every ", "TZ=", "TZ=UTC"})
  void refusesWhatIsNoSchedule(String schedule) {
    assertThatThrownBy(() -> CronSchedule.parse(schedule))
        .isInstanceOf(CronSchedule.FormatException.class);
  }

  /** Implements the definition, minute by minute. */
  @RepeatedTest(60)
  void theNextTimeIsTheFirstThatMatches(RepetitionInfo run) throws Exception {
    Random random = new Random(run.getCurrentRepetition());
    List<String> zones = List.of("UTC", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo");
    ZoneId zone = ZoneId.of(zones.get(random.nextInt(zones.size())));
    String text =
        "%s %s * * %s"
            .formatted(
                item(random, 60), item(random, 24), random.nextBoolean() ? "*" : item(random, 7));
    CronExpression schedule = (CronExpression) CronSchedule.parse(text);
    Instant start = Instant.parse("2026-01-01T00:00:00Z").plusSeconds(random.nextInt(31_536_000));
    List<Instant> found = new ArrayList<>();
    Instant end = start.plusSeconds(86_400 * 20L);
    Instant due = schedule.next(start, zone);
    while (due != null && !due.isAfter(end)) {
      found.add(due);
      due = schedule.next(due, zone);
    }
    assertThat(found)
        .as("seed %s, %s in %s", run.getCurrentRepetition(), text, zone)
        .isEqualTo(matching(schedule, start, end, zone));
  }

  private static String item(Random random, int limit) {
    int value = random.nextInt(limit);
    return switch (random.nextInt(4)) {
      case 0 -> Integer.toString(value);
      case 1 -> value + "," + random.nextInt(limit);
      case 2 -> "*/" + (1 + random.nextInt(limit));
      default -> value + "-" + (value + random.nextInt(limit - value));
    };
  }

  private static List<Instant> matching(
      CronExpression schedule, Instant start, Instant end, ZoneId zone) {
    List<Instant> matching = new ArrayList<>();
    long first = start.getEpochSecond() / 60 * 60 + 60;
    for (long second = first; second <= end.getEpochSecond(); second += 60) {
      ZonedDateTime time = Instant.ofEpochSecond(second).atZone(zone);
      if (schedule.minute().has(time.getMinute())
          && schedule.hour().has(time.getHour())
          && schedule.dayOfWeek().has(time.getDayOfWeek().getValue() % 7)) {
        matching.add(time.toInstant());
      }
    }
    return matching;
  }
}
