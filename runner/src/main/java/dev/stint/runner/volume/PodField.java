package dev.stint.runner.volume;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.env.FieldRef;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** Reads the fields of a pod that a file can hold ("Downward API"). */
final class PodField {
  private PodField() {}

  /** Returns the field's value; empty if the pod does not have it. */
  static String value(KubeObject pod, ObjectNode fieldRef) {
    String path = Json.text(fieldRef, "fieldPath");
    if ("metadata.labels".equals(path)) {
      return lines(pod.labels());
    }
    return "metadata.annotations".equals(path)
        ? lines(pod.annotations())
        : FieldRef.value(pod, fieldRef);
  }

  /** Returns one line {@code key="value"} for each entry, in the order of keys. */
  private static String lines(Map<String, String> entries) {
    return new TreeMap<>(entries)
        .entrySet().stream()
            .map(entry -> entry.getKey() + "=" + quoted(entry.getValue()))
            .collect(Collectors.joining("\n"));
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.chars().forEach(each -> quoted.append(escaped((char) each)));
    return quoted.append('"').toString();
  }

  private static String escaped(char each) {
    return switch (each) {
      case '"' -> "\\\"";
      case '\\' -> "\\\\";
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default ->
          Character.isISOControl(each) ? "\\x%02x".formatted((int) each) : String.valueOf(each);
    };
  }
}
