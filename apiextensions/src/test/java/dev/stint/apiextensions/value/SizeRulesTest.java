package dev.stint.apiextensions.value;

import static dev.stint.apiextensions.SchemaFixtures.messages;
import static dev.stint.apiextensions.SchemaFixtures.schema;
import static dev.stint.apiextensions.SchemaFixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SizeRulesTest {
  @Test
  void listsAndObjectsHaveSizes() {
    assertThat(faults("{type: array, maxItems: 1, items: {type: integer}}", "[1, 2]"))
        .containsExactly("x: Too many: 2: must have at most 1 items");
    assertThat(faults("{type: array, minItems: 1, items: {type: integer}}", "[]"))
        .containsExactly("x: Invalid value: 0: x in body should have at least 1 items");
    assertThat(faults("{type: object, maxProperties: 0}", "{a: 1}"))
        .containsExactly("x: Too many: 1: must have at most 0 items");
    assertThat(faults("{type: object, minProperties: 1}", "{}"))
        .containsExactly("x: Invalid value: 0: x in body should have at least 1 properties");
  }

  private static List<String> faults(String ofX, String x) {
    return messages(
        SchemaValidation.create(
            tree("x: " + x), schema("{type: object, properties: {x: " + ofX + "}}")));
  }
}
