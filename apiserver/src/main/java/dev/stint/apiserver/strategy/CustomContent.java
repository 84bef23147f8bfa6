package dev.stint.apiserver.strategy;

import dev.stint.apiextensions.rule.RuleValidation;
import dev.stint.apiextensions.rule.SchemaRules;
import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.structure.StructuralSchema;
import dev.stint.apiextensions.value.EmbeddedResourceRules;
import dev.stint.apiextensions.value.Findings;
import dev.stint.apiextensions.value.ListTypeRules;
import dev.stint.apiextensions.value.SchemaValidation;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Checks what a custom resource holds: by its schema, then by the rules in it. */
final class CustomContent {
  /** Rules rely on a schema that holds as far as these go. */
  private static final Set<FieldError.Type> BLOCKING =
      Set.of(
          FieldError.Type.REQUIRED,
          FieldError.Type.NOT_SUPPORTED,
          FieldError.Type.TOO_LONG,
          FieldError.Type.TOO_MANY,
          FieldError.Type.TYPE_INVALID);

  private static final FieldError UNCHECKED =
      new FieldError(
          Findings.WHOLE,
          FieldError.Type.INVALID,
          "some validation rules were not checked because the object was invalid; correct the"
              + " existing errors to complete validation",
          Json.nodes().nullNode());

  private final JsonSchema schema;
  private final @Nullable SchemaRules rules;

  CustomContent(StructuralSchema schema) {
    this.schema = schema.root();
    this.rules = schema.rules();
  }

  /** Returns what is wrong with a new object. */
  List<FieldError> create(ObjectNode object) {
    FieldErrors faults = new FieldErrors();
    faults.addAll(SchemaValidation.create(object, schema));
    faults.addAll(EmbeddedResourceRules.check(object, schema));
    faults.addAll(ListTypeRules.create(object, schema));
    byRules(null, object, faults);
    return faults.list();
  }

  /** Returns what is wrong with a changed object. What an update keeps may be wrong. */
  List<FieldError> update(ObjectNode before, ObjectNode after) {
    FieldErrors faults = new FieldErrors();
    faults.addAll(SchemaValidation.update(before, after, schema));
    faults.addAll(EmbeddedResourceRules.check(after, schema));
    faults.addAll(ListTypeRules.update(before, after, schema));
    byRules(before, after, faults);
    return faults.list();
  }

  private void byRules(@Nullable ObjectNode before, ObjectNode after, FieldErrors faults) {
    if (rules == null) {
      return;
    }
    if (faults.list().stream().anyMatch(fault -> BLOCKING.contains(fault.type()))) {
      faults.addAll(List.of(UNCHECKED));
    } else if (before == null) {
      faults.addAll(RuleValidation.create(after, rules));
    } else {
      faults.addAll(RuleValidation.update(before, after, rules));
    }
  }
}
