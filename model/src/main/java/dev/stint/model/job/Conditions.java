package dev.stint.model.job;

import dev.stint.model.Json;
import dev.stint.model.field.FieldPath;
import tools.jackson.databind.JsonNode;

/** Reads {@code status.conditions}. */
final class Conditions {
  private Conditions() {}

  /** True if a condition of a type is {@code True}. */
  static boolean isTrue(FieldPath status, String type) {
    JsonNode conditions = Json.arrayAt(status.node(), "conditions");
    if (conditions != null) {
      for (JsonNode condition : conditions) {
        if (type.equals(Json.text(condition, "type"))
            && "True".equals(Json.text(condition, "status"))) {
          return true;
        }
      }
    }
    return false;
  }
}
