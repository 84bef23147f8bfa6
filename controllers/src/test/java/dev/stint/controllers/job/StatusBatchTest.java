package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusBatchTest {
  private static final Instant BEGAN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration LONGEST = Duration.ofSeconds(5);
  private static final Duration DEAR = Duration.ofMillis(900);

  private static Instant due(StatusBatch batch, Duration cost, Duration longest) {
    return batch.due(cost, longest, 500, BEGAN);
  }

  private static boolean waits(int finished, int remaining) {
    return due(new StatusBatch(finished, remaining, BEGAN), DEAR, LONGEST).isAfter(BEGAN);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 500", "8, 4000", "10, 5000", "900, 5000"})
  void theDearerAWriteTheLongerTheBatchWaits(int millis, int waits) {
    StatusBatch batch = new StatusBatch(1, 100, BEGAN);
    assertThat(due(batch, Duration.ofMillis(millis), LONGEST)).isEqualTo(BEGAN.plusMillis(waits));
  }

  @Test
  void nothingWaitsIfNoStatusMay() {
    assertThat(due(new StatusBatch(1, 100, BEGAN), DEAR, Duration.ZERO)).isEqualTo(BEGAN);
  }

  @Test
  void nothingWaitsForAClockThatWasSetBack() {
    StatusBatch batch = new StatusBatch(1, 100, BEGAN.plusSeconds(3600));
    assertThat(due(batch, DEAR, LONGEST)).isBefore(BEGAN);
  }

  @ParameterizedTest
  @CsvSource({
    "499, 5000, true",
    "500, 5000, false", // what one status can account for
    "199, 200, true",
    "200, 200, false", // half of what is left
    "31, 10, true",
    "32, 10, false",
    "9, 0, true" // a few do no harm
  })
  void aBatchWaitsUntilMoreWouldDelayTheEnd(int finished, int remaining, boolean waits) {
    assertThat(waits(finished, remaining)).isEqualTo(waits);
  }

  @Test
  void theBatchesOfALargeJobAreFew() {
    int writes = 0;
    int finished = 0;
    for (int left = 4_999; left > 0; left--) {
      finished++;
      if (!waits(finished, left)) {
        writes++;
        finished = 0;
      }
    }
    assertThat(writes).isEqualTo(13);
    assertThat(finished).isLessThan(32);
  }
}
