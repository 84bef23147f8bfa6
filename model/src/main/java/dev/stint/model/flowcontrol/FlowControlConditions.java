package dev.stint.model.flowcontrol;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.HashSet;
import java.util.Set;

/** Rules of the conditions of both kinds. */
final class FlowControlConditions {
  private FlowControlConditions() {}

  /** Checks the conditions of a written status: each has a type of its own. */
  static void check(FieldPath conditions, FieldErrors faults) {
    Set<String> types = new HashSet<>();
    for (FieldPath condition : conditions.items()) {
      FieldPath type = condition.get("type");
      if (type.isEmpty()) {
        faults.required(type, "must not be empty");
      } else if (!types.add(type.text())) {
        faults.duplicate(type, "");
      }
    }
  }
}
