package dev.stint.apiextensions.rule;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.schema.SimplePath;
import dev.stint.apiextensions.value.Findings;
import dev.stint.model.Json;
import dev.stint.model.document.DocumentLimits;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.Trail;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Collects the faults that rules find, in the words of Kubernetes: the first {@link
 * DocumentLimits#FAULTS}.
 */
final class RuleFaults {
  private final Trail trail;
  private final List<FieldError> faults = new ArrayList<>();

  RuleFaults(Trail trail) {
    this.trail = trail;
  }

  List<FieldError> list() {
    return faults;
  }

  /** Adds a rule that does not hold. */
  void add(CompiledRule rule, String message, JsonSchema schema, JsonNode value) {
    FieldError.Type type = type(rule.source().reason());
    boolean hasValue = type == FieldError.Type.INVALID || type == FieldError.Type.DUPLICATE;
    boolean isShown = hasValue && !schema.isObject() && !schema.isArray();
    add(() -> new FieldError(path(rule, schema), type, message, isShown ? value : null));
  }

  /** Adds a rule that could not be evaluated. */
  void addFailed(CompiledRule rule, String why, JsonSchema schema) {
    invalid(
        why.startsWith("no such overload")
            ? "'"
                + why
                + "': call arguments did not match a supported operator, function or macro"
                + " signature for rule: "
                + rule.name()
            : why + " evaluating rule: " + rule.name(),
        schema);
  }

  /** Adds a rule that does not compile. */
  void addBroken(BrokenRule rule, JsonSchema schema) {
    invalid(rule.text(), schema);
  }

  void addTooExpensive(CompiledRule rule, JsonSchema schema) {
    invalid(
        "'operation cancelled: actual cost limit exceeded': no further validation rules will be run"
            + " due to call cost exceeds limit for rule: "
            + rule.name(),
        schema);
  }

  void addWithoutBudget(JsonSchema schema) {
    invalid(
        "validation failed due to running out of cost budget, no further validation rules will be"
            + " run",
        schema);
  }

  /** Adds a message that cost too much to be made. */
  void addMessageTooExpensive(CompiledRule rule, boolean hasBudget, JsonSchema schema) {
    String detail =
        hasBudget
            ? "no further validation rules will be run due to call cost exceeds limit for"
                + " messageExpression: \""
                + rule.source().messageExpression()
                + '"'
            : "messageExpression evaluation failed due to running out of cost budget, no further"
                + " validation rules will be run";
    add(() ->
        new FieldError(
            path(rule, schema), FieldError.Type.INVALID, detail, Json.text(schema.type())));
  }

  private void invalid(String detail, JsonSchema schema) {
    add(() ->
        new FieldError(
            orWhole(trail.bracketed()), FieldError.Type.INVALID, detail, Json.text(schema.type())));
  }

  private void add(Supplier<FieldError> fault) {
    if (faults.size() < DocumentLimits.FAULTS) {
      faults.add(fault.get());
    }
  }

  private static FieldError.Type type(@Nullable String reason) {
    return switch (reason == null ? "" : reason) {
      case "FieldValueRequired" -> FieldError.Type.REQUIRED;
      case "FieldValueForbidden" -> FieldError.Type.FORBIDDEN;
      case "FieldValueDuplicate" -> FieldError.Type.DUPLICATE;
      default -> FieldError.Type.INVALID;
    };
  }

  /** Returns the field that a rule blames: its own place, or one below it. */
  private String path(CompiledRule rule, JsonSchema schema) {
    String own = rule.source().fieldPath();
    SimplePath below = own == null ? null : SimplePath.parse(own);
    String place = trail.bracketed();
    if (below == null) {
      return orWhole(place);
    }
    StringBuilder path = new StringBuilder(place);
    JsonSchema at = schema;
    for (String name : below.names()) {
      if (at == null || at.properties().containsKey(name)) {
        path.append(path.isEmpty() ? "" : ".").append(name);
      } else {
        path.append('[').append(name).append(']');
      }
      at = at == null ? null : at.member(name);
    }
    return path.toString();
  }

  private static String orWhole(String path) {
    return path.isEmpty() ? Findings.WHOLE : path;
  }
}
