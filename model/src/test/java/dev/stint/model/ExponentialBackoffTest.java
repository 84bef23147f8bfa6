package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExponentialBackoffTest {
  private static final ExponentialBackoff BACKOFF =
      new ExponentialBackoff(Duration.ofSeconds(10), Duration.ofMinutes(10));

  @Test
  @Covers("BI-30")
  void doublesFromTenSecondsUpToTenMinutes() {
    assertThat(BACKOFF.delay(0)).isZero();
    assertThat(BACKOFF.delay(1)).hasSeconds(10);
    assertThat(BACKOFF.delay(2)).hasSeconds(20);
    assertThat(BACKOFF.delay(3)).hasSeconds(40);
    assertThat(BACKOFF.delay(7)).hasMinutes(10);
    assertThat(BACKOFF.delay(Integer.MAX_VALUE)).hasMinutes(10);
  }
}
