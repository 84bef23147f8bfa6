package dev.stint.apiextensions.value;

import static dev.stint.apiextensions.SchemaFixtures.messages;
import static dev.stint.apiextensions.SchemaFixtures.schema;
import static dev.stint.apiextensions.SchemaFixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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

  private static List<String> inEmbedded(String metadata) {
    String object = "{pod: {apiVersion: v1, kind: Pod, metadata: " + metadata + "}}";
    return messages(
        EmbeddedResourceRules.check(
            tree(object),
            schema(
                """
                type: object
                properties:
                  pod: {type: object, x-kubernetes-embedded-resource: true, properties: {}}
                """)));
  }

  @Test
  void itsMetadataAreSound() {
    assertThat(inEmbedded("{labels: {a: b}}")).isEmpty();
    assertThat(inEmbedded("{name: .., labels: {a: x y}}"))
        .satisfiesExactly(
            name -> assertThat(name).startsWith("pod.metadata.name: Invalid value: \"..\""),
            label -> assertThat(label).startsWith("pod.metadata.labels: Invalid value: \"x y\""));
    assertThat(inEmbedded("{namespace: 42}"))
        .singleElement()
        .asString()
        .startsWith("pod.metadata: Invalid value");
    assertThat(inEmbedded("[]"))
        .singleElement()
        .asString()
        .startsWith("pod.metadata: Invalid value");
  }
}
