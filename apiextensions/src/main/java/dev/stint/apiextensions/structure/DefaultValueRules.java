package dev.stint.apiextensions.structure;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.value.EmbeddedResourceRules;
import dev.stint.apiextensions.value.Findings;
import dev.stint.apiextensions.value.ListTypeRules;
import dev.stint.apiextensions.value.Pruning;
import dev.stint.apiextensions.value.SchemaValidation;
import dev.stint.model.field.FieldError;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Defaults are valid values, with known members only. */
final class DefaultValueRules {
  private DefaultValueRules() {}

  static void check(CheckedSchema node) {
    JsonSchema schema = node.schema();
    JsonNode value = schema.defaultValue();
    if (value == null) {
      return;
    }
    if (node.inMetadata() || node.level() == CheckedSchema.Level.ROOT) {
      node.forbidden("default", "must not be set");
      return;
    }
    if (!Pruning.pruneValue(value, schema, false).equals(value)) {
      node.invalid("default", value, "must not have unknown fields");
    }
    List<FieldError> faults = new ArrayList<>();
    if (!node.isKept()) {
      faults.addAll(EmbeddedResourceRules.checkValue(value, schema));
    }
    faults.addAll(SchemaValidation.create(value, schema));
    faults.addAll(ListTypeRules.create(value, schema));
    faults.forEach(fault -> report(node, fault));
  }

  private static void report(CheckedSchema node, FieldError fault) {
    FieldError found = Findings.below("default", fault);
    node.add(found.path(), found.type(), found.detail().strip(), found.value());
  }
}
