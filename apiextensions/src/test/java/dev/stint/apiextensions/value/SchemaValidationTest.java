package dev.stint.apiextensions.value;

import static dev.stint.apiextensions.SchemaFixtures.messages;
import static dev.stint.apiextensions.SchemaFixtures.schema;
import static dev.stint.apiextensions.SchemaFixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.model.Json;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class SchemaValidationTest {
  private static final JsonSchema LIMITED =
      schema(
          """
          type: object
          properties:
            replicas: {type: integer, maximum: 10}
            items:
              type: array
              x-kubernetes-list-type: map
              x-kubernetes-list-map-keys: [name]
              items: {type: object, properties: {name: {type: string}, size: {type: integer, minimum: 1}}}
            plain: {type: array, items: {type: integer, minimum: 1}}
          """);

  @Test
  void membersAreCheckedByTheirSchemas() {
    assertThat(faults("{replicas: 11, items: [{name: a, size: 0}]}"))
        .containsExactly(
            "replicas: Invalid value: 11: replicas in body should be less than or equal to 10",
            "items[0].size: Invalid value: 0: items[0].size in body should be greater than or equal"
                + " to 1");
  }

  @Test
  void missingMembersAreNamed() {
    JsonSchema needs =
        schema("{type: object, properties: {spec: {type: object, required: [x]}}, required: [z]}");
    assertThat(messages(SchemaValidation.create(tree("{spec: {}}"), needs)))
        .containsExactly("z: Required value", "spec.x: Required value");
  }

  @Test
  void keysOfMapsFollowADot() {
    JsonSchema map = schema("{type: object, additionalProperties: {type: integer}}");
    assertThat(messages(SchemaValidation.create(tree("{a: x}"), map)))
        .containsExactly(
            "a: Invalid value: \"string\": a in body must be of type integer: \"string\"");
  }

  @Test
  void aHundredFaultsAreReportedWithTheBeginningsOfTheirPaths() {
    JsonSchema map =
        schema("{type: object, additionalProperties: {type: array, items: {type: string}}}");
    ObjectNode object = Json.object();
    ArrayNode items = object.putArray("x".repeat(5000));
    IntStream.range(0, 300).forEach(items::add);
    assertThat(SchemaValidation.create(object, map))
        .hasSize(100)
        .allSatisfy(fault -> assertThat(fault.toString()).hasSizeLessThan(2200));
  }

  @Test
  void anUpdateMayKeepWhatIsWrong() {
    assertThat(changes("{replicas: 11}", "{replicas: 11, plain: [1]}")).isEmpty();
    assertThat(changes("{replicas: 11}", "{replicas: 12}")).hasSize(1);
  }

  @Test
  void itemsWithKeysMayMoveAndStayWrong() {
    assertThat(changes("{items: [{name: a, size: 0}]}", "{items: [{name: b}, {name: a, size: 0}]}"))
        .isEmpty();
  }

  @Test
  void itemsWithoutKeysAreCheckedAgainOnceTheirListChanges() {
    assertThat(changes("{plain: [0]}", "{plain: [0, 1]}")).hasSize(1);
  }

  @Test
  void objectsNestedVeryDeeplyAreRefusedRatherThanOverflowTheStack() {
    ObjectNode deep = Json.object();
    ObjectNode at = deep;
    for (int i = 0; i < 900; i++) {
      at = at.putObject("a");
    }
    JsonSchema self = schema("{type: object, x-kubernetes-preserve-unknown-fields: true}");
    assertThat(SchemaValidation.create(deep, self)).isEmpty();
    assertThat(Pruning.prune(deep, self)).isSameAs(deep);
  }

  private static List<String> faults(String object) {
    return messages(SchemaValidation.create(tree(object), LIMITED));
  }

  private static List<String> changes(String before, String after) {
    return messages(SchemaValidation.update(tree(before), tree(after), LIMITED));
  }
}
