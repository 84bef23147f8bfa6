package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WriteCostTest {
  private final WriteCost cost = new WriteCost();
  private Instant now = Instant.parse("2026-01-31T12:10:00Z");

  private Duration after(int writes, int millis) {
    for (int i = 0; i < writes; i++) {
      Instant sent = now;
      now = now.plusMillis(millis);
      cost.onStatus(sent, now);
    }
    return cost.now();
  }

  private void another(int millis) {
    cost.onOther(now, now.plusMillis(millis));
  }

  @Test
  void aFewWritesSayNothing() {
    another(5);
    assertThat(after(3, 300)).isZero();
    assertThat(after(1, 300)).isEqualTo(Duration.ofMillis(290));
  }

  @Test
  void aLongWayIsNoCost() {
    another(410);
    assertThat(after(20, 400)).isZero();
  }

  @Test
  void oneSlowWriteIsNoCost() {
    after(4, 5);
    assertThat(after(3, 800)).isZero();
  }

  @Test
  void aProcessThatGetsFasterHasNoCost() {
    after(4, 500);
    assertThat(after(1, 5)).isZero();
  }

  @Test
  void theCostGoesWithTheLoad() {
    after(4, 5);
    assertThat(after(4, 105)).isEqualTo(Duration.ofMillis(95));
    assertThat(after(1, 11)).isEqualTo(Duration.ofMillis(1));
    assertThat(after(1, 9)).isZero();
  }

  @Test
  void aWayThatBecameLongerForGoodIsNoCostAfterAnHour() {
    after(4, 5);
    assertThat(after(4, 105)).isEqualTo(Duration.ofMillis(95));
    now = now.plus(Duration.ofMinutes(31));
    assertThat(after(4, 105)).isEqualTo(Duration.ofMillis(95));
    now = now.plus(Duration.ofMinutes(31));
    assertThat(after(1, 105)).isZero();
  }

  @Test
  void aWriteDuringWhichTheClockIsSetBackShowsNothing() {
    after(4, 5);
    assertThat(after(1, -60_000)).isZero();
    assertThat(after(3, 105)).isZero();
    assertThat(after(1, 105)).isEqualTo(Duration.ofMillis(95));
  }
}
