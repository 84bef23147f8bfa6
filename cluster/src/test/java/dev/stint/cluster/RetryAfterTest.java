package dev.stint.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetryAfterTest {
  private static final Duration TWO = Duration.ofSeconds(2);

  @Test
  void theLongerDelayHoldsAndRetryAfterIsCappedAtFiveSeconds() {
    assertThat(RetryAfter.atLeast(TWO, null)).isEqualTo(TWO);
    assertThat(RetryAfter.atLeast(TWO, Duration.ofSeconds(1))).isEqualTo(TWO);
    assertThat(RetryAfter.atLeast(TWO, Duration.ofSeconds(3))).isEqualTo(Duration.ofSeconds(3));
    assertThat(RetryAfter.atLeast(TWO, Duration.ofHours(1))).isEqualTo(Duration.ofSeconds(5));
    assertThat(RetryAfter.atLeast(Duration.ofSeconds(8), Duration.ofHours(1)))
        .isEqualTo(Duration.ofSeconds(8));
  }
}
