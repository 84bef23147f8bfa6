package dev.stint.controllers.cronjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.cron.CronSchedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CronDueTimesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:34:56Z");

  private static CronDueTimes since(Instant start, @Nullable Duration deadline)
      throws CronSchedule.FormatException {
    return CronDueTimes.of(CronSchedule.parse("0 * * * *"), ZoneOffset.UTC, start, deadline, NOW);
  }

  @Test
  void aTimeLongerAgoThanTheDeadlineIsLate() throws CronSchedule.FormatException {
    Instant start = NOW.minus(Duration.ofHours(2));
    assertThat(since(start, Duration.ofMinutes(34)).late()).isTrue();
    assertThat(since(start, Duration.ofMinutes(35)).late()).isFalse();
  }

  /** The last of these is the largest deadline that the API accepts. */
  @ParameterizedTest
  @ValueSource(longs = {31_536_000_000L, 31_536_000_001L, 40_000_000_000_000_000L, Long.MAX_VALUE})
  void aDeadlineOfAThousandYearsOrMoreIsAsNone(long seconds) throws CronSchedule.FormatException {
    Instant start = NOW.minus(Duration.ofDays(30));
    assertThat(since(start, Duration.ofSeconds(seconds))).isEqualTo(since(start, null));
  }
}
