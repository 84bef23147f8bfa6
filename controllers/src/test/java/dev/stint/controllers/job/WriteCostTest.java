package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WriteCostTest {
  private final WriteCost cost = new WriteCost();

  private Duration after(int writes, int millis) {
    for (int i = 0; i < writes; i++) {
      cost.record(Duration.ofMillis(millis));
    }
    return cost.now();
  }

  @Test
  void aFewWritesSayNothing() {
    cost.compare(Duration.ofMillis(5));
    assertThat(after(3, 300)).isZero();
    assertThat(after(1, 300)).isEqualTo(Duration.ofMillis(290));
  }

  @Test
  void aLongWayIsNoCost() {
    cost.compare(Duration.ofMillis(410));
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
}
