package dev.stint.apiextensions.value;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.model.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fills in the defaults of a schema. A null that is not allowed counts as absent: a default
 * replaces it, or it is removed. Shares all parts that do not change.
 */
public final class Defaulting {
  private Defaulting() {}

  /**
   * Returns the object with its defaults: the same instance if it has them all. Nothing is changed.
   */
  public static ObjectNode apply(ObjectNode object, JsonSchema schema) {
    return (ObjectNode) value(object, schema);
  }

  private static JsonNode value(JsonNode value, JsonSchema schema) {
    return switch (value) {
      case ObjectNode object -> members(object, schema);
      case ArrayNode list -> items(list, schema);
      default -> value;
    };
  }

  private static ObjectNode members(ObjectNode object, JsonSchema schema) {
    ObjectNode changed = null;
    for (Map.Entry<String, JsonSchema> property : schema.properties().entrySet()) {
      JsonNode before = object.get(property.getKey());
      JsonNode after = completed(before, property.getValue());
      changed = replaced(object, changed, property.getKey(), before, after);
    }
    JsonSchema others = schema.additionalSchema();
    if (others != null) {
      for (Map.Entry<String, JsonNode> member : object.properties()) {
        if (!schema.properties().containsKey(member.getKey())) {
          JsonNode after = completed(member.getValue(), others);
          changed = replaced(object, changed, member.getKey(), member.getValue(), after);
        }
      }
    }
    return changed == null ? object : changed;
  }

  private static @Nullable ObjectNode replaced(
      ObjectNode object,
      @Nullable ObjectNode changed,
      String name,
      @Nullable JsonNode before,
      @Nullable JsonNode after) {
    if (before == after) {
      return changed;
    }
    ObjectNode copy = changed == null ? Json.copyOf(object) : changed;
    if (after == null) {
      copy.remove(name);
    } else {
      copy.set(name, after);
    }
    return copy;
  }

  /** Returns the value with its defaults; null if there is none. */
  private static @Nullable JsonNode completed(@Nullable JsonNode value, JsonSchema schema) {
    if (value != null && (!value.isNull() || schema.nullable())) {
      return value(value, schema);
    }
    JsonNode preset = schema.defaultValue();
    return preset == null
        ? keptNull(value, schema)
        : value(CanonicalNumbers.ofValue(preset.deepCopy()), schema);
  }

  /** Keeps a null that the schema does not describe: no type excludes it. */
  private static @Nullable JsonNode keptNull(@Nullable JsonNode value, JsonSchema schema) {
    boolean anything = schema.type().isEmpty() && schema.keepsUnknown();
    return value != null && anything ? value : null;
  }

  private static ArrayNode items(ArrayNode list, JsonSchema schema) {
    JsonSchema items = schema.items();
    if (items == null) {
      return list;
    }
    ArrayNode changed = null;
    for (int i = 0; i < list.size(); i++) {
      JsonNode before = list.get(i);
      JsonNode after = completed(before, items);
      if (after != null && after != before) {
        changed = changed == null ? Json.array().addAll(list) : changed;
        changed.set(i, after);
      }
    }
    return changed == null ? list : changed;
  }
}
