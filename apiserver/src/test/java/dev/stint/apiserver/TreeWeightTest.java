package dev.stint.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TreeWeightTest {
  @Test
  void manyShortValuesWeighManyTimesTheirText() {
    String env = "{\"env\":[" + "{\"name\":\"a\"},".repeat(4000) + "{}]}";
    assertThat(TreeWeight.of(env.getBytes(UTF_8))).isGreaterThan(11 * env.length());
  }

  @Test
  void aLongStringWeighsLittleMoreThanItsText() {
    String text = "{\"script\":\"" + "x".repeat(10_000) + "\"}";
    assertThat(TreeWeight.of(text.getBytes(UTF_8)))
        .isEqualTo(text.length() + TreeWeight.VALUE_BYTES);
  }
}
