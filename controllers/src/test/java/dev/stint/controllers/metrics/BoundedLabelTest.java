package dev.stint.controllers.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BoundedLabelTest {
  private final BoundedLabel label = new BoundedLabel();

  @Test
  void theFirstValuesAreTheirOwnAndStaySo() {
    List<String> first = IntStream.range(0, 100).mapToObj(i -> "example.com/c" + i).toList();
    assertThat(first).allSatisfy(value -> assertThat(label.of(value)).isEqualTo(value));
    assertThat(label.of("example.com/c100")).isEqualTo("other");
    assertThat(label.of("example.com/c101")).isEqualTo("other");
    assertThat(first).allSatisfy(value -> assertThat(label.of(value)).isEqualTo(value));
  }
}
