package dev.stint.apiextensions.value;

import static dev.stint.apiextensions.SchemaFixtures.schema;
import static dev.stint.apiextensions.SchemaFixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class PruningTest {
  @Test
  void unknownMembersGoAndAreReported() {
    List<String> removed = new ArrayList<>();
    ObjectNode object =
        tree("{apiVersion: a/v1, kind: A, metadata: {x: 1}, spec: {a: 1, b: 2}, c: 3}");
    ObjectNode pruned =
        Pruning.prune(
            object,
            schema(
                "{type: object, properties: {spec: {type: object, properties: {a: {type: integer}}}}}"),
            removed);
    assertThat(pruned)
        .isEqualTo(tree("{apiVersion: a/v1, kind: A, metadata: {x: 1}, spec: {a: 1}}"));
    assertThat(removed).containsExactly("spec.b", "c");
  }

  @Test
  void aHundredUnknownMembersAreReportedWithTheBeginningsOfTheirPaths() {
    List<String> removed = new ArrayList<>();
    ObjectNode unknown = Json.object();
    IntStream.range(0, 300).forEach(i -> unknown.put("u" + i, i));
    String longest = "x".repeat(5000);
    ObjectNode object = Json.object();
    object.putObject("spec").set(longest, unknown);
    JsonSchema schema =
        schema(
            """
            type: object
            properties: {spec: {type: object, additionalProperties: {type: object}}}
            """);
    assertThat(Pruning.prune(object, schema, removed).at("/spec/" + longest)).isEmpty();
    assertThat(removed).hasSize(100).allSatisfy(path -> assertThat(path).hasSizeLessThan(1100));
  }

  @Test
  void anObjectWithoutUnknownMembersIsNotCopied() {
    ObjectNode object = tree("{kind: A, list: [{a: 1}]}");
    assertThat(
            Pruning.prune(
                object,
                schema(
                    """
                    type: object
                    properties:
                      list: {type: array, items: {type: object, properties: {a: {type: integer}}}}
                    """)))
        .isSameAs(object);
  }

  @Test
  void whereAllIsKeptKnownMembersArePrunedByTheirSchemas() {
    assertThat(
            Pruning.prune(
                tree("{free: {y: 1, known: {z: 1}}}"),
                schema(
                    """
                    type: object
                    properties:
                      free:
                        type: object
                        x-kubernetes-preserve-unknown-fields: true
                        properties: {known: {type: object}}
                    """)))
        .isEqualTo(tree("{free: {y: 1, known: {}}}"));
  }

  @Test
  void anEmbeddedObjectKeepsWhatEveryObjectHas() {
    assertThat(
            Pruning.prune(
                tree("{pod: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {x: 1}}}"),
                schema(
                    """
                    type: object
                    properties:
                      pod:
                        type: object
                        x-kubernetes-embedded-resource: true
                        properties: {spec: {type: object}}
                    """)))
        .isEqualTo(tree("{pod: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {}}}"));
  }

  @Test
  void theMetadataOfAnEmbeddedObjectAreThoseOfEveryObject() {
    List<String> removed = new ArrayList<>();
    assertThat(
            Pruning.prune(
                tree("{metadata: {odd: 1}, pod: {metadata: {name: a, odd: 1}}}"),
                schema(
                    """
                    type: object
                    properties:
                      pod: {type: object, x-kubernetes-embedded-resource: true, properties: {}}
                    """),
                removed))
        .isEqualTo(tree("{metadata: {odd: 1}, pod: {metadata: {name: a}}}"));
    assertThat(removed).containsExactly("pod.metadata.odd");
  }

  @Test
  void aMapKeepsItsKeys() {
    assertThat(
            Pruning.prune(
                tree("{m: {a: {x: 1, y: 2}}}"),
                schema(
                    """
                    type: object
                    properties:
                      m: {type: object, additionalProperties: {type: object, properties: {x: {type: integer}}}}
                    """)))
        .isEqualTo(tree("{m: {a: {x: 1}}}"));
  }
}
