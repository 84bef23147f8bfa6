package dev.stint.runner.env;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
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
  void referencesBecomeValuesAndTheRestStays(String text, String expected) {
    assertThat(Expansion.expand(text, Map.of("A", "1", "B", "2"))).isEqualTo(expected);
  }
}
