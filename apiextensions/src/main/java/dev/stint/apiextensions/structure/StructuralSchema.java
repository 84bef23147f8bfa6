package dev.stint.apiextensions.structure;

import dev.stint.apiextensions.rule.CostLimits;
import dev.stint.apiextensions.rule.RuleCompiler;
import dev.stint.apiextensions.rule.SchemaRules;
import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.schema.SchemaReader;
import dev.stint.model.field.FieldErrors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A schema that follows the rules for structural schemas, so that objects can be pruned, completed
 * and checked by it.
 *
 * @param rules its rules in CEL; null if there are none
 */
public record StructuralSchema(JsonSchema root, @Nullable SchemaRules rules) {

  /**
   * Reads and checks a schema.
   *
   * @param path its field in the definition
   * @param limits how much its rules may cost
   * @param faults collects what is wrong
   * @return null if something is
   */
  public static @Nullable StructuralSchema compile(
      JsonNode tree, String path, CostLimits limits, FieldErrors faults) {
    FieldErrors found = new FieldErrors();
    JsonSchema schema = new SchemaReader(found).read(tree, path);
    if (found.isEmpty()) {
      StructuralSchemaRules.check(schema, path, limits.isKept(), found);
    }
    SchemaRules rules = found.isEmpty() ? RuleCompiler.compile(schema, path, limits, found) : null;
    faults.addAll(found.list());
    return found.isEmpty() ? new StructuralSchema(schema, rules) : null;
  }
}
