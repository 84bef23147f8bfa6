package dev.stint.apiextensions.value;

import static dev.stint.apiextensions.SchemaFixtures.messages;
import static dev.stint.apiextensions.SchemaFixtures.schema;
import static dev.stint.apiextensions.SchemaFixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EnumRulesTest {
  @Test
  void aValueIsOneOfThose() {
    assertThat(faults("{type: string, enum: [a, b]}", "c"))
        .containsExactly("x: Unsupported value: \"c\": supported values: \"a\", \"b\"");
    assertThat(faults("{type: integer, enum: [1, 2]}", "2")).isEmpty();
    assertThat(faults("{type: number, enum: [1]}", "1.0")).isEmpty();
  }

  private static List<String> faults(String ofX, String x) {
    return messages(
        SchemaValidation.create(
            tree("x: " + x), schema("{type: object, properties: {x: " + ofX + "}}")));
  }
}
