package dev.stint.apiextensions.structure;

import dev.stint.apiextensions.schema.JsonSchema;

/** Every node has a type, but integers or texts, and nodes that keep everything. */
final class TypePresenceRules {
  private TypePresenceRules() {}

  static void check(CheckedSchema node) {
    JsonSchema schema = node.schema();
    switch (node.level()) {
      case ROOT -> root(node);
      case FIELD -> present(node, "must not be empty for specified object fields");
      case ITEM -> present(node, "must not be empty for specified array items");
    }
    if (schema.isIntOrString() && !schema.type().isEmpty()) {
      node.forbidden("type", "must be empty if x-kubernetes-int-or-string is true");
    }
  }

  private static void root(CheckedSchema node) {
    if (node.schema().type().isEmpty()) {
      node.required("type", "must not be empty at the root");
    } else if (!node.schema().isObject()) {
      node.invalid("type", node.schema().type(), "must be object at the root");
    }
  }

  private static void present(CheckedSchema node, String detail) {
    JsonSchema schema = node.schema();
    if (schema.type().isEmpty() && !schema.isIntOrString() && !schema.keepsUnknown()) {
      node.required("type", detail);
    }
  }
}
