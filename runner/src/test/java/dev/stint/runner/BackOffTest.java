package dev.stint.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackOffTest {
  @Test
  void crashesWaitTenSecondsThenTwiceAsLongEachTimeUpToFiveMinutes() {
    assertThat(IntStream.range(0, 9).mapToObj(BackOff.CRASH_LOOP::after).map(Duration::toSeconds))
        .containsExactly(0L, 10L, 20L, 40L, 80L, 160L, 300L, 300L, 300L);
  }

  @Test
  void theDelayStaysAtItsMaximumHoweverOftenItFails() {
    assertThat(BackOff.REQUEST.after(Integer.MAX_VALUE)).isEqualTo(BackOff.REQUEST.max());
  }
}
