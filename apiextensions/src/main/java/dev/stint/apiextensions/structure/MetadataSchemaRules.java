package dev.stint.apiextensions.structure;

import dev.stint.apiextensions.schema.JsonSchema;
import java.util.Set;

/** The metadata of objects has its own schema; a definition may restrict names only. */
final class MetadataSchemaRules {
  private static final Set<String> MAY_RESTRICT = Set.of("name", "generateName");

  private MetadataSchemaRules() {}

  static void check(CheckedSchema node) {
    if (!node.isResource()) {
      return;
    }
    JsonSchema metadata = node.schema().properties().get("metadata");
    if (metadata != null) {
      metadata(node, metadata);
    }
    text(node, "apiVersion");
    text(node, "kind");
  }

  private static void metadata(CheckedSchema node, JsonSchema metadata) {
    if (!metadata.isObject()) {
      node.invalid("properties[metadata].type", metadata.type(), "must be object");
    }
    if (node.isWhole() && restrictsMore(metadata)) {
      node.forbidden(
          "properties[metadata]",
          "must not specify anything other than name and generateName, but metadata is implicitly"
              + " specified");
    }
  }

  private static boolean restrictsMore(JsonSchema metadata) {
    return metadata.isDescribed()
        || metadata.nullable()
        || metadata.defaultValue() != null
        || metadata.items() != null
        || metadata.additional() != JsonSchema.Additional.UNSPECIFIED
        || !metadata.extensions().equals(JsonSchema.ofType("").extensions())
        || !metadata.validations().isEmpty()
        || !MAY_RESTRICT.containsAll(metadata.properties().keySet());
  }

  private static void text(CheckedSchema node, String member) {
    JsonSchema schema = node.schema().properties().get(member);
    if (schema != null && !schema.type().equals("string")) {
      node.invalid("properties[" + member + "].type", schema.type(), "must be string");
    }
  }
}
