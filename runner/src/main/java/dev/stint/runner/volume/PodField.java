package dev.stint.runner.volume;

import dev.stint.model.KubeObject;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The fields of a pod that a file can hold ("Downward API"). */
final class PodField {
  private static final Pattern SUBSCRIPT =
      Pattern.compile("metadata\\.(labels|annotations)\\['(.*)']");

  private PodField() {}

  /** The field's value; empty where the pod does not have it. */
  static String value(KubeObject pod, String path) {
    Matcher subscript = SUBSCRIPT.matcher(path);
    if (subscript.matches()) {
      return ("labels".equals(subscript.group(1)) ? pod.labels() : pod.annotations())
          .getOrDefault(subscript.group(2), "");
    }
    return switch (path) {
      case "metadata.name" -> pod.name();
      case "metadata.namespace" -> pod.namespace();
      case "metadata.uid" -> pod.uid();
      case "metadata.labels" -> lines(pod.labels());
      case "metadata.annotations" -> lines(pod.annotations());
      default -> "";
    };
  }

  /** One line {@code key="value"} for each entry, in the order of keys. */
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
