package dev.stint.apiserver.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WarningsTest {
  private final Warnings warnings = new Warnings();

  @Test
  void eachTextCountsOnceAndTheirOrderStays() {
    warnings.add(List.of("b", "a"));
    warnings.add(List.of("a", "c"));
    assertThat(warnings.texts()).containsExactly("b", "a", "c");
  }

  @Test
  void longTextsStayWholeAsLongAsThereAreFew() {
    warnings.add(List.of("x".repeat(4000)));
    assertThat(warnings.texts()).containsExactly("x".repeat(4000));
  }

  @Test
  void tooManyAreCutAndThenLeftOut() {
    for (int i = 0; i < 100; i++) {
      warnings.add(List.of("%03d".formatted(i) + "x".repeat(997)));
    }
    assertThat(warnings.texts()).hasSize(16).allMatch(text -> text.length() == 256);
    assertThat(warnings.texts().getFirst()).startsWith("000x");
  }
}
