package dev.stint.reconcile.leader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseTimesTest {
  private static Duration timeout(int renewDeadlineMillis) {
    return new LeaseTimes(
            Duration.ofSeconds(15), Duration.ofMillis(renewDeadlineMillis), Duration.ofMillis(100))
        .requestTimeout();
  }

  @Test
  void twoRequestsFitIntoTheRenewDeadline() {
    assertThat(LeaseTimes.DEFAULT.requestTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(timeout(2002)).isEqualTo(Duration.ofMillis(1001));
  }

  @Test
  void aRequestHasASecondIfTheDeadlineIsThatLong() {
    assertThat(timeout(1998)).isEqualTo(Duration.ofSeconds(1));
    assertThat(timeout(1000)).isEqualTo(Duration.ofSeconds(1));
    assertThat(timeout(500)).isEqualTo(Duration.ofMillis(500));
  }
}
