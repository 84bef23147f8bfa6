package dev.stint.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TreeWeightTest {
  @Test
  void manyShortValuesWeighManyTimesTheirText() {
    String env = "{\"env\":[" + "{\"name\":\"a\"},".repeat(4000) + "{}]}";
    assertThat(average(env)).isGreaterThan(11.0 * env.length());
  }

  @Test
  void aLongStringWeighsLittleMoreThanItsText() {
    String text = "{\"script\":\"" + "x".repeat(10_000) + "\"}";
    assertThat(average(text))
        .isCloseTo(text.length() + TreeWeight.VALUE_BYTES, within(2.0 * TreeWeight.VALUE_BYTES));
  }

  /** A document whose values all begin between two places that are read weighs as much. */
  @Test
  void noArrangementOfValuesIsLightOnAverage() {
    int values = 1000;
    double exact = 8 * values + TreeWeight.VALUE_BYTES * (values + 0.0);
    for (int shift = 0; shift < 8; shift++) {
      String text = "x".repeat(shift) + ",1234567".repeat(values) + "x".repeat(8 - shift);
      assertThat(average(text)).isCloseTo(exact, within(exact / 10));
    }
  }

  /** Returns the average of many successive revisions. */
  private static double average(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return LongStream.range(5000, 6000)
        .map(revision -> TreeWeight.of(bytes, revision))
        .average()
        .orElseThrow();
  }
}
