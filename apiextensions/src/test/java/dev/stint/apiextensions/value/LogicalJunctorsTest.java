package dev.stint.apiextensions.value;

import static dev.stint.apiextensions.SchemaFixtures.messages;
import static dev.stint.apiextensions.SchemaFixtures.schema;
import static dev.stint.apiextensions.SchemaFixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LogicalJunctorsTest {
  @Test
  void exactlyOneAlternativeMatches() {
    String one = "{type: integer, oneOf: [{minimum: 5}, {maximum: 7}]}";
    assertThat(faults(one, "9")).isEmpty();
    assertThat(faults(one, "6"))
        .containsExactly(
            "<nil>: Invalid value: \"\": \"x\" must validate one and only one schema (oneOf). Found"
                + " 2 valid alternatives");
  }

  @Test
  void noneMatches() {
    assertThat(faults("{type: object, oneOf: [{required: [a]}, {required: [b]}]}", "{}"))
        .containsExactly(
            "<nil>: Invalid value: \"\": \"x\" must validate one and only one schema (oneOf). Found"
                + " none valid",
            "x.a: Required value");
  }

  @Test
  void allMatchAndTheOtherDoesNot() {
    assertThat(faults("{type: integer, allOf: [{minimum: 1}, {minimum: 2}]}", "1"))
        .contains("<nil>: Invalid value: \"\": \"x\" must validate all the schemas (allOf)");
    assertThat(faults("{type: integer, not: {minimum: 1}}", "1"))
        .containsExactly("<nil>: Invalid value: \"\": \"x\" must not validate the schema (not)");
  }

  private static List<String> faults(String ofX, String x) {
    return messages(
        SchemaValidation.create(
            tree("x: " + x), schema("{type: object, properties: {x: " + ofX + "}}")));
  }
}
