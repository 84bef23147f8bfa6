package dev.stint.apiserver.access;

import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** A label selector of a document. */
final class LabelSelector {
  private LabelSelector() {}

  /** Whether labels meet all that a selector asks for; one that asks for nothing takes all. */
  static boolean matches(JsonNode selector, Map<String, String> labels) {
    List<Predicate<Map<String, String>>> wanted = new ArrayList<>();
    Json.forEachText(
        selector, "matchLabels", (key, value) -> wanted.add(has -> value.equals(has.get(key))));
    JsonNode expressions = Json.arrayAt(selector, "matchExpressions");
    if (expressions != null) {
      expressions.forEach(expression -> wanted.add(has -> meets(expression, has)));
    }
    return wanted.stream().allMatch(condition -> condition.test(labels));
  }

  private static boolean meets(JsonNode expression, Map<String, String> labels) {
    String value = labels.get(Trees.text(expression, "key"));
    List<String> values = Trees.texts(expression, "values");
    return switch (Trees.text(expression, "operator")) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default -> false;
    };
  }
}
