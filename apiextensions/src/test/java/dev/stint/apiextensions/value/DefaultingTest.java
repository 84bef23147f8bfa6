package dev.stint.apiextensions.value;

import static dev.stint.apiextensions.SchemaFixtures.schema;
import static dev.stint.apiextensions.SchemaFixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiextensions.schema.JsonSchema;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class DefaultingTest {
  private static final JsonSchema DEFAULTS =
      schema(
          """
          type: object
          properties:
            size: {type: integer, default: 1}
            may: {type: string, nullable: true, default: x}
            plain: {type: string}
            nested: {type: object, default: {}, properties: {a: {type: string, default: b}}}
            list: {type: array, items: {type: object, properties: {p: {type: string, default: TCP}}}}
            map: {type: object, additionalProperties: {type: object, properties: {q: {type: integer, default: 2}}}}
          """);

  @Test
  void absentMembersGetTheirDefaults() {
    assertThat(apply("{list: [{}], map: {k: {}}}"))
        .isEqualTo(tree("{list: [{p: TCP}], map: {k: {q: 2}}, size: 1, may: x, nested: {a: b}}"));
  }

  @Test
  void aNullThatIsNotAllowedIsAbsent() {
    assertThat(apply("{size: null, may: null, plain: null, nested: {a: c}}"))
        .isEqualTo(tree("{size: 1, may: null, nested: {a: c}}"));
  }

  @Test
  void aCompleteObjectIsNotCopied() {
    ObjectNode complete = tree("{size: 3, may: y, nested: {a: c}, list: [{p: UDP}]}");
    assertThat(Defaulting.apply(complete, DEFAULTS)).isSameAs(complete);
  }

  @Test
  void twoObjectsDoNotShareADefault() {
    ObjectNode one = apply("{}");
    ObjectNode other = apply("{}");
    assertThat(one.get("nested")).isNotSameAs(other.get("nested"));
  }

  private static ObjectNode apply(String object) {
    return Defaulting.apply(tree(object), DEFAULTS);
  }
}
