package dev.stint.apiextensions.value;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.MessagePhrases;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Values are among those that the schema lists. */
final class EnumRules {
  private EnumRules() {}

  static void check(JsonNode value, JsonSchema schema, Findings findings) {
    if (schema.allowed().isEmpty() || value.isNull() && schema.nullable()) {
      return;
    }
    for (JsonNode allowed : schema.allowed()) {
      if (Values.areEqual(allowed, value)) {
        return;
      }
    }
    String all =
        schema.allowed().stream()
            .map(allowed -> allowed.isString() ? allowed.stringValue() : allowed.toString())
            .map(MessagePhrases::goQuoted)
            .collect(Collectors.joining(", "));
    findings.add(FieldError.Type.NOT_SUPPORTED, "supported values: " + all, value);
  }
}
