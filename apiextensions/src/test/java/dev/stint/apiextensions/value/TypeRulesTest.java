package dev.stint.apiextensions.value;

import static dev.stint.apiextensions.SchemaFixtures.messages;
import static dev.stint.apiextensions.SchemaFixtures.schema;
import static dev.stint.apiextensions.SchemaFixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TypeRulesTest {
  @Test
  void aValueHasTheTypeOfItsSchema() {
    assertThat(faults("{type: string}", "1"))
        .containsExactly(
            "x: Invalid value: \"integer\": x in body must be of type string: \"integer\"");
    assertThat(faults("{type: object}", "[]")).hasSize(1);
    assertThat(faults("{type: boolean}", "true")).isEmpty();
  }

  @Test
  void wholeNumbersAreIntegersHoweverTheyAreWritten() {
    assertThat(faults("{type: integer}", "1.0")).isEmpty();
    assertThat(faults("{type: number}", "1")).isEmpty();
    assertThat(faults("{type: integer}", "1.5")).hasSize(1);
  }

  @Test
  void nullIsForNullableValuesOnly() {
    assertThat(faults("{type: string, nullable: true}", "null")).isEmpty();
    assertThat(faults("{type: string}", "null"))
        .containsExactly("x: Invalid value: \"null\": x in body must be of type string: \"null\"");
  }

  @Test
  void integersOrTextsAreNoOtherNumbers() {
    assertThat(faults("{x-kubernetes-int-or-string: true}", "80")).isEmpty();
    assertThat(faults("{x-kubernetes-int-or-string: true}", "http")).isEmpty();
    assertThat(faults("{x-kubernetes-int-or-string: true}", "0.5"))
        .containsExactly(
            "x: Invalid value: \"number\": x in body must be of type integer,string: \"number\"",
            "<nil>: Invalid value: \"\": \"x\" must validate at least one schema (anyOf)",
            "x: Invalid value: \"number\": x in body must be of type integer: \"number\"");
  }

  private static List<String> faults(String ofX, String x) {
    return messages(
        SchemaValidation.create(
            tree("x: " + x), schema("{type: object, properties: {x: " + ofX + "}}")));
  }
}
