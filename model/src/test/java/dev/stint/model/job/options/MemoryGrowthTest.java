package dev.stint.model.job.options;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryGrowthTest {
  private static final long MI = 1L << 20;

  @ParameterizedTest
  @CsvSource({
    "64, 96",
    "1, 2",
    "99, 149",
    "199, 299",
    "200, 300",
    "250, 300",
    "300, 300",
    "400, 400"
  })
  void memoryGrowsToWholeMebibytesUpToTheMaximum(long before, long after) {
    assertThat(new MemoryGrowth(150, 300 * MI).next(before * MI)).isEqualTo(after * MI);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1048576", "1048577, 2097152", "3000000, 3000000"})
  void bytesAreRoundedUp(long before, long after) {
    assertThat(new MemoryGrowth(101, 3_000_000).next(before)).isEqualTo(after);
  }

  @ParameterizedTest
  @CsvSource({"1125899906842623, 1125899906842624"})
  void theLargestDoesNotOverflow(long before, long after) {
    assertThat(new MemoryGrowth(1000, 1L << 50).next(before)).isEqualTo(after);
  }
}
