package dev.stint.model.kept;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.schema.FieldSchema;
import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import dev.stint.model.schema.ValueType;
import java.util.List;
import java.util.Set;

/** Checks what the schema of a type says: required fields and enumerated values. */
public final class StructuralRules {
  /** Types with rules of their own. */
  private static final Set<String> ELSEWHERE =
      Set.of("ObjectMeta", "PodTemplateSpec", "LabelSelector", "PersistentVolumeClaimSpec");

  private StructuralRules() {}

  /**
   * Checks the parts of an object.
   *
   * @param parts the fields of the object that are checked
   */
  public static void check(
      FieldPath object, ObjectSchema type, List<String> parts, FieldErrors faults) {
    for (FieldSchema field : type.fields().values()) {
      if (parts.contains(field.name())) {
        field(object.get(field.name()), field, faults);
      }
    }
  }

  private static void check(FieldPath object, ObjectSchema type, FieldErrors faults) {
    type.fields().values().forEach(field -> field(object.get(field.name()), field, faults));
  }

  private static void field(FieldPath value, FieldSchema field, FieldErrors faults) {
    if (field.required() && isMissing(value)) {
      faults.required(value, "is required");
    } else {
      value(value, field.type(), field.values(), faults);
    }
  }

  private static boolean isMissing(FieldPath value) {
    return !value.exists()
        || value.isEmpty()
        || value.node().isContainer() && value.node().isEmpty();
  }

  private static void value(
      FieldPath value, ValueType type, List<String> values, FieldErrors faults) {
    switch (type) {
      case ValueType.Reference(String name) -> {
        if (value.exists() && !ELSEWHERE.contains(name)) {
          check(value, Schema.type(name), faults);
        }
      }
      case ValueType.ListOf(ValueType item) ->
          value.items().forEach(each -> value(each, item, values, faults));
      case ValueType.MapOf(ValueType item) ->
          value.entries().forEach(each -> value(each, item, values, faults));
      default -> {
        if (!values.isEmpty() && !value.isEmpty()) {
          faults.notSupportedUnlessIn(value, values);
        }
      }
    }
  }
}
