package dev.stint.apiextensions.value;

import dev.stint.apiextensions.schema.SizeLimits;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Lists and objects have a number of parts. */
final class SizeRules {
  private SizeRules() {}

  static void checkList(JsonNode list, SizeLimits limits, Findings findings) {
    if (limits != SizeLimits.NONE) {
      check(list.size(), limits.minItems(), limits.maxItems(), "items", findings);
    }
  }

  static void checkObject(JsonNode object, SizeLimits limits, Findings findings) {
    if (limits != SizeLimits.NONE) {
      check(object.size(), limits.minProperties(), limits.maxProperties(), "properties", findings);
    }
  }

  private static void check(
      int size, @Nullable Long least, @Nullable Long most, String what, Findings findings) {
    if (least != null && size < least) {
      findings.invalid("should have at least " + least + " " + what, Json.nodes().numberNode(size));
    }
    if (most != null && size > most) {
      findings.add(FieldError.Type.TOO_MANY, size + ": must have at most " + most + " items", null);
    }
  }
}
