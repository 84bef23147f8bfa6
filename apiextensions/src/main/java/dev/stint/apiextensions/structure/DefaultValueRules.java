package dev.stint.apiextensions.structure;

import dev.stint.apiextensions.schema.JsonSchema;
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
    List<FieldError> faults = new ArrayList<>(SchemaValidation.create(value, schema));
    faults.addAll(ListTypeRules.create(value, schema));
    faults.forEach(fault -> report(node, fault));
  }

  private static void report(CheckedSchema node, FieldError fault) {
    String place = fault.path().equals(Findings.WHOLE) ? "" : "." + fault.path();
    String dot = place.startsWith(".[") ? place.substring(1) : place;
    node.add("default" + dot, fault.type(), fault.detail().strip(), fault.value());
  }
}
