package dev.stint.apiserver.table;

import dev.stint.model.field.FieldPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The wide columns of objects that have a pod template. */
public final class PodTemplates {
  private PodTemplates() {}

  /**
   * Returns columns for containers, images and selector.
   *
   * @param spec the path to the spec that holds {@code template} and {@code selector}
   */
  static List<Column> columns(String... spec) {
    return List.of(
        Column.text(
                "Containers", "The names of the containers.", o -> containers(at(o, spec), "name"))
            .onlyWide(),
        Column.text(
                "Images", "The images of the containers.", o -> containers(at(o, spec), "image"))
            .onlyWide(),
        Column.text(
                "Selector", "The selector of the pods.", o -> selector(at(o, spec).get("selector")))
            .onlyWide());
  }

  private static FieldPath at(FieldPath object, String... members) {
    FieldPath at = object;
    for (String member : members) {
      at = at.get(member);
    }
    return at;
  }

  private static String containers(FieldPath spec, String member) {
    return spec.get("template", "spec", "containers").items().stream()
        .map(container -> container.get(member).text())
        .collect(Collectors.joining(","));
  }

  /**
   * Returns a selector in URL syntax, its terms in the order of their keys.
   *
   * @param selector a label selector, or a plain map of labels
   */
  public static String selector(FieldPath selector) {
    List<Map.Entry<String, String>> terms = new ArrayList<>();
    Stream.concat(selector.entries().stream(), selector.get("matchLabels").entries().stream())
        .filter(label -> label.node().isString())
        .forEach(label -> terms.add(Map.entry(label.key(), label.key() + "=" + label.text())));
    selector
        .get("matchExpressions")
        .items()
        .forEach(e -> terms.add(Map.entry(e.get("key").text(), expression(e))));
    terms.sort(Comparator.comparing(Map.Entry::getKey));
    return Column.orNone(terms.stream().map(Map.Entry::getValue).collect(Collectors.joining(",")));
  }

  private static String expression(FieldPath expression) {
    String key = expression.get("key").text();
    String values =
        expression.get("values").items().stream()
            .map(FieldPath::text)
            .sorted()
            .collect(Collectors.joining(",", "(", ")"));
    return switch (expression.get("operator").text()) {
      case "In" -> key + " in " + values;
      case "NotIn" -> key + " notin " + values;
      case "Exists" -> key;
      default -> "!" + key;
    };
  }
}
