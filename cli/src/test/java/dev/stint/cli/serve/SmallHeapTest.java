package dev.stint.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SmallHeapTest {
  @ParameterizedTest
  @CsvSource({
    "0, 4000, 12", // a collection has to be worth it
    "20, 4000, 32",
    "36, 4000, 48",
    "90, 4000, 120", // larger heaps are collected as seldom
    "100, 112, 112" // the limit of the heap
  })
  void theHeapIsCollectedWhenItHasGrownByAThird(long live, long most, long threshold) {
    assertThat(SmallHeap.threshold(live << 20, most << 20)).isEqualTo(threshold << 20);
  }
}
