package dev.stint.apiextensions.value;

import static dev.stint.apiextensions.SchemaFixtures.messages;
import static dev.stint.apiextensions.SchemaFixtures.schema;
import static dev.stint.apiextensions.SchemaFixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiextensions.schema.JsonSchema;
import org.junit.jupiter.api.Test;

class ListTypeRulesTest {
  private static final JsonSchema LISTS =
      schema(
          """
          type: object
          properties:
            set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
            ports:
              type: object
              additionalProperties:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [port, protocol]
                items: {type: object}
          """);

  @Test
  void aSetHoldsNothingTwice() {
    assertThat(messages(ListTypeRules.create(tree("{set: [a, b, a, a]}"), LISTS)))
        .containsExactly("set[2]: Duplicate value: \"a\"");
  }

  @Test
  void itemsOfAMapDifferInTheirKeys() {
    assertThat(
            messages(
                ListTypeRules.create(
                    tree("{ports: {web: [{port: 1}, {port: 1, protocol: UDP}, {port: 1, x: 1}]}}"),
                    LISTS)))
        .containsExactly("ports[web][2]: Duplicate value: {\"port\":1}");
  }

  @Test
  void anObjectThatHadDuplicatesMayKeepThem() {
    assertThat(ListTypeRules.update(tree("{set: [a, a]}"), tree("{set: [b, b]}"), LISTS)).isEmpty();
    assertThat(ListTypeRules.update(tree("{set: [a]}"), tree("{set: [b, b]}"), LISTS)).hasSize(1);
  }
}
