package dev.stint.apiextensions.structure;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.schema.JsonSchema.Additional;
import dev.stint.apiextensions.schema.Juncts;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import java.util.List;
import java.util.Set;

/** Keywords that custom resources may not use, here and in combinations, and their values. */
final class KeywordRules {
  private static final Set<String> TYPES =
      Set.of("array", "boolean", "integer", "number", "object", "string");

  private KeywordRules() {}

  static void check(CheckedSchema node) {
    JsonSchema schema = node.schema();
    unsupported(node);
    type(node);
    additional(node);
    if (schema.sizes().uniqueItems()) {
      node.forbidden(
          "uniqueItems",
          "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    }
    if (schema.isArray() && schema.items() == null && !schema.unsupported().contains("items")) {
      node.required("items", "must be specified");
    }
    if (!schema.text().patternFault().isEmpty()) {
      node.invalid(
          "pattern",
          schema.text().pattern(),
          "must be a valid regular expression, but isn't: " + schema.text().patternFault());
    }
    juncts(node);
  }

  private static void unsupported(CheckedSchema node) {
    for (String word : node.schema().unsupported()) {
      node.forbidden(
          word,
          word.equals("items")
              ? "items must be a schema object and not an array"
              : word + " is not supported");
    }
  }

  private static void type(CheckedSchema node) {
    String type = node.schema().type();
    if (type.equals("null")) {
      node.forbidden("type", "type cannot be set to null, use nullable as an alternative");
    } else if (!type.isEmpty() && !TYPES.contains(type)) {
      node.add(
          "type",
          FieldError.Type.NOT_SUPPORTED,
          "supported values: \"array\", \"boolean\", \"integer\", \"number\", \"object\","
              + " \"string\"",
          Json.text(type));
    }
  }

  private static void additional(CheckedSchema node) {
    Additional additional = node.schema().additional();
    if (additional == Additional.FORBIDDEN) {
      node.forbidden("additionalProperties", "additionalProperties cannot be set to false");
    } else if (additional != Additional.UNSPECIFIED && !node.schema().properties().isEmpty()) {
      node.forbidden(
          "additionalProperties", "additionalProperties and properties are mutual exclusive");
    }
  }

  /** Checks the parts of combinations, which {@link StructuralSchemaRules} does not visit. */
  private static void juncts(CheckedSchema node) {
    Juncts juncts = node.schema().juncts();
    if (juncts.isEmpty()) {
      return;
    }
    each(node, "allOf", juncts.allOf());
    each(node, "anyOf", juncts.anyOf());
    each(node, "oneOf", juncts.oneOf());
    if (juncts.not() != null) {
      inside(node, "not", juncts.not());
    }
  }

  private static void each(CheckedSchema node, String word, List<JsonSchema> schemas) {
    for (int i = 0; i < schemas.size(); i++) {
      inside(node, word + "[" + i + "]", schemas.get(i));
    }
  }

  private static void inside(CheckedSchema node, String step, JsonSchema schema) {
    CheckedSchema part = node.child(schema, step, node.level(), node.inMetadata());
    check(part);
    schema.properties().forEach((name, member) -> inside(part, "properties[" + name + "]", member));
    if (schema.items() != null) {
      inside(part, "items", schema.items());
    }
  }
}
