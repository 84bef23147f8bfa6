package dev.stint.apiextensions.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.schema.SchemaReader;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldErrors;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Random schemas and objects: pruning and defaulting are idempotent, and no check throws. */
class RandomObjectsTest {
  private static final int ROUNDS = 3000;
  private static final List<String> NAMES = List.of("a", "b", "c", "d");
  private static final List<String> TYPES =
      List.of("object", "array", "string", "integer", "number", "boolean", "");

  @Test
  void preparingTwiceIsPreparingOnce() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      FieldErrors faults = new FieldErrors();
      ObjectNode written = schema(random, 0).put("type", "object");
      JsonSchema schema = new SchemaReader(faults).read(written, "schema");
      assertThat(faults.list()).as("seed " + seed).isEmpty();
      ObjectNode object = KubeObject.of(object(random, 0)).tree();
      check(object, schema, "seed %d: %s by %s".formatted(seed, object, written));
    }
  }

  private static void check(ObjectNode object, JsonSchema schema, String what) {
    String before = object.toString();
    ObjectNode completed = Defaulting.apply(object, schema);
    assertThat(Defaulting.apply(completed, schema)).as(what).isSameAs(completed);
    ObjectNode pruned = Pruning.prune(completed, schema);
    assertThat(Pruning.prune(pruned, schema)).as(what).isSameAs(pruned);
    assertThat(SchemaValidation.create(pruned, schema)).as(what).isNotNull();
    assertThat(SchemaValidation.update(pruned, pruned, schema)).as(what).isEmpty();
    assertThat(ListTypeRules.create(pruned, schema)).as(what).isNotNull();
    assertThat(EmbeddedResourceRules.check(pruned, schema)).as(what).isNotNull();
    assertThat(object.toString()).as(what).isEqualTo(before);
  }

  private static ObjectNode schema(Random random, int depth) {
    ObjectNode schema = Json.object();
    String type = TYPES.get(random.nextInt(depth > 3 ? 7 : 2));
    if (random.nextInt(3) == 0) {
      type = TYPES.get(random.nextInt(TYPES.size()));
    }
    schema.put("type", type);
    if (type.isEmpty()) {
      schema.put("x-kubernetes-int-or-string", true);
    }
    flag(schema, "nullable", random, 4);
    flag(schema, "x-kubernetes-preserve-unknown-fields", random, 6);
    flag(schema, "x-kubernetes-embedded-resource", random, 10);
    if (random.nextInt(4) == 0) {
      schema.set("default", value(random, depth + 2));
    }
    restrict(schema, random, depth);
    if (depth < 5) {
      nest(schema, random, depth);
    }
    return schema;
  }

  private static void nest(ObjectNode schema, Random random, int depth) {
    switch (schema.get("type").stringValue()) {
      case "object" -> {
        if (random.nextInt(3) == 0) {
          schema.set("additionalProperties", schema(random, depth + 1));
        } else {
          ObjectNode properties = schema.putObject("properties");
          NAMES.forEach(name -> {
            if (random.nextBoolean()) {
              properties.set(name, schema(random, depth + 1));
            }
          });
        }
      }
      case "array" -> {
        schema.set("items", schema(random, depth + 1));
        schema.put("x-kubernetes-list-type", random.nextBoolean() ? "set" : "map");
        schema.putArray("x-kubernetes-list-map-keys").add("a").add("b");
      }
      default -> {}
    }
  }

  private static void restrict(ObjectNode schema, Random random, int depth) {
    switch (random.nextInt(9)) {
      case 0 -> schema.put("minimum", random.nextInt(5)).put("exclusiveMinimum", true);
      case 1 -> schema.put("maxLength", random.nextInt(3)).put("pattern", "^a|b$");
      case 2 -> schema.putArray("enum").add(value(random, 9)).add(value(random, 9));
      case 3 -> schema.put("multipleOf", 0.5).put("format", "int32");
      case 4 -> schema.put("maxItems", 1).put("minProperties", 1);
      case 5 -> schema.putArray("required").add("a");
      case 6 -> schema.putArray("oneOf").add(Json.object().put("type", "string")).addObject();
      case 7 -> {
        if (depth < 4) {
          schema.set("not", schema(random, depth + 2));
        }
      }
      default -> schema.put("format", "date-time");
    }
  }

  private static void flag(ObjectNode schema, String name, Random random, int oneIn) {
    if (random.nextInt(oneIn) == 0) {
      schema.put(name, true);
    }
  }

  private static ObjectNode object(Random random, int depth) {
    ObjectNode object = Json.object();
    NAMES.forEach(name -> {
      if (random.nextBoolean()) {
        object.set(name, value(random, depth + 1));
      }
    });
    return object;
  }

  private static JsonNode value(Random random, int depth) {
    return switch (random.nextInt(depth > 5 ? 6 : 9)) {
      case 0 -> Json.text(random.nextBoolean() ? "a" : "😀bc");
      case 1 -> Json.nodes().numberNode(random.nextInt(6) - 2);
      case 2 -> Json.nodes().numberNode(random.nextInt(8) / 2.0);
      case 3 -> Json.nodes().booleanNode(random.nextBoolean());
      case 4 -> Json.nodes().nullNode();
      case 5 -> Json.nodes().numberNode(new java.math.BigInteger("92233720368547758070"));
      case 6 -> {
        ArrayNode list = Json.array();
        int size = random.nextInt(3);
        for (int i = 0; i < size; i++) {
          list.add(value(random, depth + 1));
        }
        yield list;
      }
      default -> object(random, depth);
    };
  }
}
