package dev.stint.apiextensions.structure;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.schema.SimplePath;
import dev.stint.apiextensions.schema.ValidationRule;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The texts around rules in CEL. The rules themselves are compiled elsewhere. */
final class ValidationRuleRules {
  private static final List<String> REASONS =
      List.of(
          "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

  private ValidationRuleRules() {}

  static void check(CheckedSchema node) {
    List<ValidationRule> rules = node.schema().validations();
    if (rules.isEmpty()) {
      return;
    }
    for (int i = 0; i < rules.size(); i++) {
      check(rules.get(i), "x-kubernetes-validations[" + i + "]", node);
    }
  }

  private static void check(ValidationRule rule, String at, CheckedSchema node) {
    if (rule.rule().isBlank()) {
      node.required(at + ".rule", "rule is not specified");
    }
    message(rule, at, node);
    if (isBlank(rule.messageExpression())) {
      node.required(at + ".messageExpression", "messageExpression must be non-empty if specified");
    }
    if (rule.reason() != null && !REASONS.contains(rule.reason())) {
      node.add(
          at + ".reason",
          FieldError.Type.NOT_SUPPORTED,
          "supported values: \"" + String.join("\", \"", REASONS) + '"',
          Json.text(rule.reason()));
    }
    fieldPath(rule.fieldPath(), at, node);
  }

  private static void message(ValidationRule rule, String at, CheckedSchema node) {
    String message = rule.message() == null ? "" : rule.message();
    if (rule.rule().isBlank()) {
      return;
    }
    if (!message.isEmpty() && message.isBlank()) {
      node.invalid(at + ".message", message, "must be non-empty if specified");
    } else if (hasLineBreak(message.strip())) {
      node.invalid(at + ".message", message, "must not contain line breaks");
    } else if (message.isEmpty() && hasLineBreak(rule.rule().strip())) {
      node.required(at + ".message", "message must be specified if rule contains line breaks");
    }
  }

  /** True for a text that is there but says nothing. An empty one is as good as absent. */
  private static boolean isBlank(@Nullable String text) {
    return text != null && !text.isEmpty() && text.isBlank();
  }

  private static boolean hasLineBreak(String text) {
    return text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
  }

  private static void fieldPath(@Nullable String path, String at, CheckedSchema node) {
    if (path == null || path.isEmpty()) {
      return;
    }
    if (path.isBlank()) {
      node.invalid(at + ".fieldPath", path, "must be non-empty if specified");
    }
    if (hasLineBreak(path)) {
      node.invalid(at + ".fieldPath", path, "must not contain line breaks");
    }
    if (!leadsToAField(path, node.schema())) {
      node.invalid(at + ".fieldPath", path, "must be a valid path");
    }
  }

  private static boolean leadsToAField(String path, JsonSchema schema) {
    SimplePath parsed = SimplePath.parse(path);
    return parsed != null && parsed.find(schema) != null;
  }
}
