package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FewNamesTest {
  @Test
  void aFewAreAllNamed() {
    assertThat(FewNames.of(List.of())).isEmpty();
    assertThat(FewNames.of(List.of("a"))).isEqualTo("a");
    assertThat(FewNames.of(List.of("a", "b", "c", "d", "e"))).isEqualTo("a, b, c, d, e");
  }

  @Test
  void theRestOfManyIsCounted() {
    assertThat(FewNames.of(List.of("a", "b", "c", "d", "e", "f", "g")))
        .isEqualTo("a, b, c, d, e and 2 more");
    assertThat(FewNames.of(List.of("a"), 3)).isEqualTo("a and 2 more");
  }
}
