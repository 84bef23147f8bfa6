package dev.stint.model.meta;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.field.MessagePhrases;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rules of label selectors, and the matching of labels. */
public final class LabelSelectorRules {
  private LabelSelectorRules() {}

  /** Checks a selector, if there is one. */
  public static void check(FieldPath selector, FieldErrors faults) {
    for (FieldPath label : selector.get("matchLabels").entries()) {
      String path = selector.get("matchLabels").path();
      String key = Formats.qualifiedName(label.key());
      String value = Formats.labelValue(label.text());
      if (key != null) {
        faults.invalid(path, key);
      }
      if (value != null) {
        faults.invalid(path, value);
      }
    }
    selector.get("matchExpressions").items().forEach(e -> expression(e, faults));
  }

  public static boolean isSound(FieldPath selector) {
    FieldErrors faults = new FieldErrors();
    check(selector, faults);
    return faults.isEmpty();
  }

  /** Checks that a Job's selector exists, is valid, and matches its template. */
  public static void matchesTemplate(FieldPath spec, FieldErrors faults) {
    FieldPath selector = spec.get("selector");
    FieldPath labels = spec.get("template", "metadata", "labels");
    if (!selector.exists()) {
      faults.required(selector, "is required with manualSelector");
    } else {
      check(selector, faults);
      if (!isSound(selector)) {
        return;
      }
    }
    if (!selector.exists() || !matches(selector, texts(labels))) {
      faults.invalid(labels, "must be labels that spec.selector matches");
    }
  }

  /** True if a valid selector matches; an empty one matches everything. */
  public static boolean matches(FieldPath selector, Map<String, String> labels) {
    return selector.get("matchLabels").entries().stream()
            .allMatch(entry -> entry.text().equals(labels.get(entry.key())))
        && selector.get("matchExpressions").items().stream()
            .allMatch(expression -> expressionMatches(expression, labels));
  }

  private static boolean expressionMatches(FieldPath expression, Map<String, String> labels) {
    String value = labels.get(expression.get("key").text());
    List<String> values = expression.get("values").items().stream().map(FieldPath::text).toList();
    return switch (expression.get("operator").text()) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      default -> value == null;
    };
  }

  private static void expression(FieldPath expression, FieldErrors faults) {
    FieldPath values = expression.get("values");
    FieldPath operator = expression.get("operator");
    switch (operator.text()) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          faults.required(values, "is required with operator " + operator.text());
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          faults.forbidden(values, "must be left out with operator " + operator.text());
        }
      }
      default ->
          faults.invalid(
              operator,
              MessagePhrases.notOneOf(
                  operator.text(), List.of("In", "NotIn", "Exists", "DoesNotExist")));
    }
    faults.invalidUnlessSound(
        expression.get("key"), Formats.qualifiedName(expression.get("key").text()));
    values
        .items()
        .forEach(value -> faults.invalidUnlessSound(value, Formats.labelValue(value.text())));
  }

  private static Map<String, String> texts(FieldPath labels) {
    Map<String, String> texts = new HashMap<>();
    labels.entries().forEach(label -> texts.put(label.key(), label.text()));
    return texts;
  }
}
