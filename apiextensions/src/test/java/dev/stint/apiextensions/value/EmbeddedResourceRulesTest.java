package dev.stint.apiextensions.value;

import static dev.stint.apiextensions.SchemaFixtures.messages;
import static dev.stint.apiextensions.SchemaFixtures.schema;
import static dev.stint.apiextensions.SchemaFixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EmbeddedResourceRulesTest {
  @Test
  void anEmbeddedObjectNamesItsVersionAndKind() {
    assertThat(
            messages(
                EmbeddedResourceRules.check(
                    tree("{list: [{kind: Pod}, {apiVersion: v1, kind: a_b}]}"),
                    schema(
                        """
                        type: object
                        properties:
                          list:
                            type: array
                            items: {type: object, x-kubernetes-embedded-resource: true, properties: {}}
                        """))))
        .satisfiesExactly(
            one ->
                assertThat(one).isEqualTo("list[0].apiVersion: Required value: must not be empty"),
            other -> assertThat(other).startsWith("list[1].kind: Invalid value: \"a_b\""));
  }
}
