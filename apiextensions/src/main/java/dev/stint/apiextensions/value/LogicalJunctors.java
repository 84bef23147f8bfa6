package dev.stint.apiextensions.value;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.schema.Juncts;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Values satisfy the combinations allOf, anyOf, oneOf and not. */
final class LogicalJunctors {
  private static final List<JsonSchema> INT_OR_STRING =
      List.of(JsonSchema.ofType("integer"), JsonSchema.ofType("string"));

  private LogicalJunctors() {}

  static void check(JsonNode value, JsonSchema schema, Findings findings) {
    Juncts juncts = schema.juncts();
    if (juncts != Juncts.NONE) {
      any(value, juncts.anyOf(), findings);
      one(value, juncts.oneOf(), findings);
      all(value, juncts.allOf(), findings);
      not(value, juncts.not(), findings);
    }
    if (schema.isIntOrString() && juncts.anyOf().isEmpty()) {
      any(value, INT_OR_STRING, findings);
    }
  }

  private static void any(JsonNode value, List<JsonSchema> choices, Findings findings) {
    if (choices.isEmpty()) {
      return;
    }
    Findings best = null;
    for (JsonSchema choice : choices) {
      Findings found = SchemaValidation.aside(value, choice, findings);
      if (found.isEmpty()) {
        return;
      }
      best = better(best, found);
    }
    findings.whole('"' + findings.place() + "\" must validate at least one schema (anyOf)");
    findings.addAll(Objects.requireNonNull(best));
  }

  private static void one(JsonNode value, List<JsonSchema> choices, Findings findings) {
    if (choices.isEmpty()) {
      return;
    }
    Findings best = null;
    int valid = 0;
    for (JsonSchema choice : choices) {
      Findings found = SchemaValidation.aside(value, choice, findings);
      valid += found.isEmpty() ? 1 : 0;
      best = better(best, found);
    }
    if (valid != 1) {
      findings.whole(
          '"'
              + findings.place()
              + "\" must validate one and only one schema (oneOf). "
              + (valid == 0 ? "Found none valid" : "Found " + valid + " valid alternatives"));
    }
    if (valid == 0) {
      findings.addAll(Objects.requireNonNull(best));
    }
  }

  private static void all(JsonNode value, List<JsonSchema> parts, Findings findings) {
    boolean sound = true;
    for (JsonSchema part : parts) {
      Findings found = SchemaValidation.aside(value, part, findings);
      sound &= found.isEmpty();
      findings.addAll(found);
    }
    if (!sound) {
      findings.whole('"' + findings.place() + "\" must validate all the schemas (allOf)");
    }
  }

  private static void not(JsonNode value, @Nullable JsonSchema excluded, Findings findings) {
    if (excluded != null && SchemaValidation.aside(value, excluded, findings).isEmpty()) {
      findings.whole('"' + findings.place() + "\" must not validate the schema (not)");
    }
  }

  private static Findings better(@Nullable Findings one, Findings other) {
    return one != null && one.list().size() <= other.list().size() ? one : other;
  }
}
