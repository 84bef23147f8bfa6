package dev.stint.apiextensions.structure;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.structure.CheckedSchema.Level;
import dev.stint.model.field.FieldErrors;

/** Checks all nodes of a schema by all families of rules. */
final class StructuralSchemaRules {
  private StructuralSchemaRules() {}

  /**
   * @param isKept whether the schema was accepted before
   */
  static void check(JsonSchema root, String path, boolean isKept, FieldErrors faults) {
    walk(new CheckedSchema(root, path, Level.ROOT, true, false, isKept, faults));
  }

  private static void walk(CheckedSchema node) {
    KeywordRules.check(node);
    TypePresenceRules.check(node);
    ExtensionRules.check(node);
    ListMapRules.check(node);
    CombinationRules.check(node);
    MetadataSchemaRules.check(node);
    DefaultValueRules.check(node);
    ValidationRuleRules.check(node);
    children(node);
  }

  private static void children(CheckedSchema node) {
    JsonSchema schema = node.schema();
    schema
        .properties()
        .forEach((name, member) -> {
          boolean metadata = node.inMetadata() || node.isWhole() && name.equals("metadata");
          walk(node.child(member, "properties[" + name + "]", Level.FIELD, metadata));
        });
    if (schema.additionalSchema() != null) {
      walk(
          node.child(
              schema.additionalSchema(), "additionalProperties", Level.FIELD, node.inMetadata()));
    }
    if (schema.items() != null) {
      walk(node.child(schema.items(), "items", Level.ITEM, node.inMetadata()));
    }
  }
}
