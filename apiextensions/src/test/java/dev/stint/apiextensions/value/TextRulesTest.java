package dev.stint.apiextensions.value;

import static dev.stint.apiextensions.SchemaFixtures.messages;
import static dev.stint.apiextensions.SchemaFixtures.schema;
import static dev.stint.apiextensions.SchemaFixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextRulesTest {
  @Test
  void lengthsCountCharactersAndNotUnits() {
    assertThat(faults("{type: string, maxLength: 1}", "😀")).isEmpty();
    assertThat(faults("{type: string, maxLength: 1}", "ab"))
        .containsExactly("x: Too long: may not be more than 1 bytes");
    assertThat(faults("{type: string, minLength: 2}", "a"))
        .containsExactly("x: Invalid value: \"a\": x in body should be at least 2 chars long");
  }

  @Test
  void aPatternMayMatchAnywhere() {
    assertThat(faults("{type: string, pattern: b+}", "abc")).isEmpty();
    assertThat(faults("{type: string, pattern: ^b+}", "abc"))
        .containsExactly("x: Invalid value: \"abc\": x in body should match '^b+'");
  }

  @Test
  void aPatternTakesLinearTime() {
    assertThat(faults("{type: string, pattern: ^(a+)+$}", "a".repeat(5000) + "b")).hasSize(1);
  }

  @Test
  void formatsAreNamed() {
    assertThat(faults("{type: string, format: ipv4}", "\"::1\""))
        .containsExactly("x: Invalid value: \"::1\": x in body must be of type ipv4: \"::1\"");
  }

  private static List<String> faults(String ofX, String x) {
    return messages(
        SchemaValidation.create(
            tree("x: " + x), schema("{type: object, properties: {x: " + ofX + "}}")));
  }
}
