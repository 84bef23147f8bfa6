package dev.stint.cli.simulate.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeScaleTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, 1, 0, 1, 12",
    "60000, 60000, 1000, 55000, 1000, 12",
    "61000, 95000, 1000, 61000, 1000, 35",
    "61000, 125000, 1000, 60000, 2000, 33",
    "0, 31536000000, 1000, 0, 864000000, 37",
  })
  void stepsAreRound(long from, long to, long least, long lowest, long step, int bins) {
    assertThat(TimeScale.of(from, to, least)).isEqualTo(new TimeScale(lowest, step, bins));
  }

  @Test
  void everyValueIsInItsBin() {
    TimeScale scale = TimeScale.of(0, 11_000, 1000);
    int[] counts = scale.counts(List.of(0L, 999L, 1000L, 11_000L));
    assertThat(counts).hasSize(12).startsWith(2, 1, 0).endsWith(0, 1);
  }

  @Test
  void ticksAreFewAndRound() {
    assertThat(TimeScale.of(61_000, 125_000, 1000).ticks())
        .containsExactly(60_000L, 70_000L, 80_000L, 90_000L, 100_000L, 110_000L, 120_000L);
  }
}
