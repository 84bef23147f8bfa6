package dev.stint.apiextensions.structure;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.schema.KubernetesExtensions;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The types of lists and maps fit what is in them. */
final class ListMapRules {
  private static final String LIST_TYPE = "x-kubernetes-list-type";
  private static final String MAP_TYPE = "x-kubernetes-map-type";
  private static final String KEYS = "x-kubernetes-list-map-keys";
  private static final String AS_ITEM =
      "must be atomic as item of a list with x-kubernetes-list-type=set";
  private static final Set<String> SCALARS = Set.of("string", "integer", "number", "boolean");

  private ListMapRules() {}

  static void check(CheckedSchema node) {
    KubernetesExtensions extensions = node.schema().extensions();
    if (extensions == KubernetesExtensions.NONE) {
      return;
    }
    ofType(node, MAP_TYPE, extensions.mapType(), "object", List.of("atomic", "granular"));
    ofType(node, LIST_TYPE, extensions.listType(), "array", List.of("atomic", "map", "set"));
    switch (extensions.listType()) {
      case "map" -> map(node);
      case "set" -> set(node);
      default -> {}
    }
    if (!extensions.listMapKeys().isEmpty() && !extensions.listType().equals("map")) {
      if (extensions.listType().isEmpty()) {
        node.required(LIST_TYPE, "must be map if " + KEYS + " is non-empty");
      } else {
        node.invalid(LIST_TYPE, extensions.listType(), "must be map if " + KEYS + " is non-empty");
      }
    }
  }

  private static void ofType(
      CheckedSchema node, String word, String found, String type, List<String> supported) {
    if (found.isEmpty()) {
      return;
    }
    if (!node.schema().type().equals(type)) {
      String detail = "must be " + type + " if " + word + " is specified";
      if (node.schema().type().isEmpty()) {
        node.required("type", detail);
      } else {
        node.invalid("type", node.schema().type(), detail);
      }
    }
    if (!supported.contains(found)) {
      String all = "\"" + String.join("\", \"", supported) + "\"";
      node.add(word, FieldError.Type.NOT_SUPPORTED, "supported values: " + all, Json.text(found));
    }
  }

  private static void map(CheckedSchema node) {
    List<String> keys = node.schema().extensions().listMapKeys();
    if (keys.isEmpty()) {
      node.required(KEYS, "must not be empty if " + LIST_TYPE + " is map");
    }
    JsonSchema items = node.schema().items();
    if (items == null) {
      node.required("items", "must have a schema if " + LIST_TYPE + " is map");
      return;
    }
    if (!items.isObject()) {
      node.invalid(
          "items.type", items.type(), "must be object if parent array's " + LIST_TYPE + " is map");
    }
    if (items.nullable()) {
      node.forbidden("items.nullable", "cannot be nullable when " + LIST_TYPE + " is map");
    }
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < keys.size(); i++) {
      key(node, items, keys.get(i), KEYS + "[" + i + "]", seen.add(keys.get(i)));
    }
  }

  private static void key(
      CheckedSchema node, JsonSchema items, String key, String place, boolean isFirst) {
    if (!isFirst) {
      node.add(place, FieldError.Type.DUPLICATE, "is a duplicate", Json.text(key));
    }
    JsonSchema property = items.properties().get(key);
    String path = "items.properties[" + key + "]";
    if (property == null) {
      node.invalid(place, key, "entries must all be names of item properties");
      return;
    }
    if (!property.isIntOrString() && !SCALARS.contains(property.type())) {
      node.invalid(
          path + ".type",
          property.type(),
          "must be a scalar type if parent array's " + LIST_TYPE + " is map");
    }
    if (property.nullable()) {
      node.forbidden(
          path + ".nullable", "this property is in " + KEYS + ", so it cannot be nullable");
    }
    if (property.defaultValue() == null && !items.required().contains(key)) {
      node.required(
          path + ".default",
          "this property is in " + KEYS + ", so it must have a default or be a required property");
    }
  }

  private static void set(CheckedSchema node) {
    JsonSchema items = node.schema().items();
    if (items == null) {
      node.required("items", "must have a schema if " + LIST_TYPE + " is set");
      return;
    }
    if (items.nullable()) {
      node.forbidden("items.nullable", "cannot be nullable when " + LIST_TYPE + " is set");
    }
    KubernetesExtensions inner = items.extensions();
    if (items.isObject() && !inner.mapType().equals("atomic")) {
      node.invalid("items." + MAP_TYPE, shown(inner.mapType()), AS_ITEM);
    }
    boolean atomic = inner.listType().isEmpty() || inner.listType().equals("atomic");
    if (items.isArray() && !atomic) {
      node.invalid("items." + LIST_TYPE, shown(inner.listType()), AS_ITEM);
    }
  }

  private static @Nullable JsonNode shown(String type) {
    return Json.text(type.isEmpty() ? "null" : type);
  }
}
