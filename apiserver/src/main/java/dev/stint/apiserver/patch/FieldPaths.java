package dev.stint.apiserver.patch;

import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The steps of field sets: makes them from documents, and formats them for messages. */
final class FieldPaths {
  private FieldPaths() {}

  static String member(String name) {
    return "f:" + name;
  }

  /**
   * Returns the items of a list by their steps, in the list's order. Items that share their keys,
   * which the API does not forbid everywhere, are grouped in one list.
   */
  static Map<String, JsonNode> items(ArrayNode list, SchemaNode shape) {
    Map<String, JsonNode> items = new LinkedHashMap<>();
    Map<String, ArrayNode> repeated = new LinkedHashMap<>();
    for (JsonNode item : list) {
      String step = item(item, shape);
      JsonNode first = items.putIfAbsent(step, item);
      if (first != null) {
        repeated.computeIfAbsent(step, _ -> Json.array().add(first)).add(item);
      }
    }
    items.putAll(repeated);
    return items;
  }

  private static String item(JsonNode item, SchemaNode shape) {
    if (shape.keys().isEmpty()) {
      return "v:" + item;
    }
    ObjectNode keys = Json.object();
    for (String key : shape.keys()) {
      JsonNode value = key(item, key, shape);
      if (value != null) {
        keys.set(key, value);
      }
    }
    return "k:" + keys;
  }

  /** Returns the value of a key, or its default; null if it has neither. */
  private static @Nullable JsonNode key(JsonNode item, String key, SchemaNode shape) {
    JsonNode value = DocumentValues.present(item.get(key));
    if (value != null) {
      return value;
    }
    return shape.item().member(key).defaultKey();
  }

  static boolean isStep(String step) {
    if (step.startsWith("f:")) {
      return true;
    }
    if (step.length() < 3 || step.charAt(1) != ':' || "kvi".indexOf(step.charAt(0)) < 0) {
      return false;
    }
    try {
      JsonNode value = value(step);
      return step.charAt(0) != 'k' || value.isObject();
    } catch (JacksonException notJson) {
      return false;
    }
  }

  /** Returns the members that a step to an item names; none for other steps. */
  static List<String> keys(String step) {
    return step.startsWith("k:") ? List.copyOf(value(step).propertyNames()) : List.of();
  }

  private static JsonNode value(String step) {
    return Objects.requireNonNull(Json.parse("{\"\":" + step.substring(2) + "}").get(""));
  }

  /**
   * Returns the paths of all fields of a set, such as {@code .spec.containers[name="main"].image}.
   */
  static List<String> of(ObjectNode set) {
    List<String> paths = new ArrayList<>();
    collect("", set, paths);
    return paths;
  }

  private static void collect(String before, ObjectNode fields, List<String> paths) {
    fields
        .properties()
        .forEach(step -> {
          if (!step.getKey().equals(FieldSets.SELF)) {
            String path = before + shown(step.getKey());
            ObjectNode below = (ObjectNode) step.getValue();
            if (FieldSets.isSelf(below)) {
              paths.add(path);
            }
            collect(path, below, paths);
          }
        });
  }

  /** Returns a step as it is in a path. */
  static String shown(String step) {
    return switch (step.charAt(0)) {
      case 'f' -> "." + step.substring(2);
      case 'k' ->
          value(step).properties().stream()
              .map(key -> key.getKey() + "=" + key.getValue())
              .collect(Collectors.joining(",", "[", "]"));
      case 'v' -> "[=" + step.substring(2) + "]";
      default -> "[" + step.substring(2) + "]";
    };
  }
}
