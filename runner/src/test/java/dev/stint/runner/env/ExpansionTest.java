package dev.stint.runner.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpansionTest {
  @ParameterizedTest
  @CsvSource({
    "plain, plain",
    "$(A), 1",
    "x$(A)y$(B)z, x1y2z",
    "$$(A), $(A)",
    "$$$(A), $1",
    "$$$$(A), $$(A)",
    "$(UNKNOWN), $(UNKNOWN)",
    "$A ${A}, $A ${A}",
    "$(A, $(A",
    "$, $",
    "a$, a$",
    "$$, $",
    "$()x, $()x",
  })
  void referencesBecomeValuesAndTheRestStays(String text, String expected) throws Exception {
    assertThat(new Expansion().expand(text, Map.of("A", "1", "B", "2"))).isEqualTo(expected);
  }

  @Test
  void allResultsTogetherAreLimitedInBytes() throws Exception {
    Expansion expansion = new Expansion();
    String half = "\u00e9".repeat(Expansion.LIMIT_BYTES / 4);
    assertThat(expansion.expand(half, Map.of())).isSameAs(half);
    assertThat(expansion.expand("$(H)", Map.of("H", half))).isEqualTo(half);
    assertThatThrownBy(() -> expansion.expand("x", Map.of()))
        .isInstanceOf(ExpansionLimitException.class);
  }
}
