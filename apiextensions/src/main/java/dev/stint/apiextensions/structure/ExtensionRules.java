package dev.stint.apiextensions.structure;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.model.Json;

/** Unknown fields and embedded resources belong to objects. */
final class ExtensionRules {
  private ExtensionRules() {}

  static void check(CheckedSchema node) {
    JsonSchema schema = node.schema();
    unknownFields(node);
    if (schema.isEmbeddedResource()) {
      embedded(node);
    }
  }

  private static void unknownFields(CheckedSchema node) {
    JsonSchema schema = node.schema();
    if (Boolean.FALSE.equals(schema.extensions().preserveUnknownFields())) {
      node.invalid(
          "x-kubernetes-preserve-unknown-fields",
          Json.nodes().booleanNode(false),
          "must be true or undefined");
    }
    if (schema.keepsUnknown() && !schema.type().isEmpty() && !schema.isObject()) {
      node.invalid(
          "type", schema.type(), "must be object if x-kubernetes-preserve-unknown-fields is true");
    }
  }

  private static void embedded(CheckedSchema node) {
    JsonSchema schema = node.schema();
    if (schema.type().isEmpty()) {
      node.required("type", "must be object if x-kubernetes-embedded-resource is true");
    } else if (!schema.isObject()) {
      node.invalid(
          "type", schema.type(), "must be object if x-kubernetes-embedded-resource is true");
    }
    if (schema.properties().isEmpty() && !schema.keepsUnknown()) {
      node.required(
          "properties",
          "must not be empty if x-kubernetes-embedded-resource is true without"
              + " x-kubernetes-preserve-unknown-fields");
    }
  }
}
