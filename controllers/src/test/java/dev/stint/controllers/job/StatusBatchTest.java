package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusBatchTest {
  private static final Instant WRITTEN = Instant.parse("2026-01-01T00:00:00Z");

  private static WriteCost cost(int millis) {
    WriteCost cost = new WriteCost();
    cost.record(Duration.ZERO);
    for (int i = 0; i < 8; i++) {
      cost.record(Duration.ofMillis(millis));
    }
    return cost;
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "5, 0", "6, 200", "25, 4000", "30, 5000", "900, 5000"})
  void theDearerAWriteTheLongerTheBatchWaits(int millis, int waits) {
    assertThat(new StatusBatch(1, 100, WRITTEN).due(cost(millis), Duration.ofSeconds(5)))
        .isEqualTo(WRITTEN.plusMillis(waits));
  }

  @Test
  void nothingWaitsIfNoStatusMay() {
    assertThat(new StatusBatch(1, 100, WRITTEN).due(cost(900), Duration.ZERO)).isEqualTo(WRITTEN);
  }

  @Test
  void theFirstStatusWaitsForNothing() {
    assertThat(new StatusBatch(1, 100, null).due(cost(900), Duration.ofSeconds(5)))
        .isBefore(WRITTEN);
  }

  @ParameterizedTest
  @CsvSource({
    "499, 5000, false",
    "500, 5000, true", // what one status can account for
    "199, 200, false",
    "200, 200, true", // half of what is left
    "31, 10, false",
    "32, 10, true",
    "9, 0, false" // a few do no harm
  })
  void aBatchIsFullOnceMoreWouldDelayTheEnd(int finished, int remaining, boolean full) {
    assertThat(new StatusBatch(finished, remaining, WRITTEN).isFull(500)).isEqualTo(full);
  }

  @Test
  void theBatchesOfALargeJobAreFew() {
    int writes = 0;
    int finished = 0;
    for (int left = 4_999; left > 0; left--) {
      finished++;
      if (new StatusBatch(finished, left, WRITTEN).isFull(500)) {
        writes++;
        finished = 0;
      }
    }
    assertThat(writes).isEqualTo(13);
    assertThat(finished).isLessThan(32);
  }
}
