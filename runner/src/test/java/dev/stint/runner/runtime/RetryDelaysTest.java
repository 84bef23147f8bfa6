package dev.stint.runner.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryDelaysTest {
  @Test
  void crashesWaitTenSecondsThenTwiceAsLongEachTimeUpToFiveMinutes() {
    assertThat(
            IntStream.range(0, 9).mapToObj(RetryDelays.CRASH_LOOP::delay).map(Duration::toSeconds))
        .containsExactly(0L, 10L, 20L, 40L, 80L, 160L, 300L, 300L, 300L);
  }

  @Test
  void theDelayHasAMaximum() {
    assertThat(RetryDelays.REQUEST.delay(Integer.MAX_VALUE)).isEqualTo(RetryDelays.REQUEST.max());
  }
}
