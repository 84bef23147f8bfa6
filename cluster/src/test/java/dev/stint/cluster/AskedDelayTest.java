package dev.stint.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AskedDelayTest {
  private static final Duration TWO = Duration.ofSeconds(2);

  @Test
  void theLongerOfTheTwoHoldsAndFiveSecondsAreTheMostThatCanBeAskedFor() {
    assertThat(AskedDelay.atLeast(TWO, null)).isEqualTo(TWO);
    assertThat(AskedDelay.atLeast(TWO, Duration.ofSeconds(1))).isEqualTo(TWO);
    assertThat(AskedDelay.atLeast(TWO, Duration.ofSeconds(3))).isEqualTo(Duration.ofSeconds(3));
    assertThat(AskedDelay.atLeast(TWO, Duration.ofHours(1))).isEqualTo(Duration.ofSeconds(5));
    assertThat(AskedDelay.atLeast(Duration.ofSeconds(8), Duration.ofHours(1)))
        .isEqualTo(Duration.ofSeconds(8));
  }
}
