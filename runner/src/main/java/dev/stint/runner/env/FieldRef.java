package dev.stint.runner.env;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Reads the pod fields that a variable or a file can take its value from ("Downward API"). */
public final class FieldRef {
  private static final String LABEL = "metadata.labels['";
  private static final String ANNOTATION = "metadata.annotations['";
  private static final String END = "']";

  private static final String LOCALHOST = "127.0.0.1";

  private FieldRef() {}

  /** True if {@code valueFrom.fieldRef} names a field that {@link #value} knows. */
  public static boolean isKnown(ObjectNode fieldRef) {
    String path = Json.text(fieldRef, "fieldPath");
    return path != null
        && (isKey(LABEL, path)
            || isKey(ANNOTATION, path)
            || plain(KubeObject.of(Json.object()), path).isPresent());
  }

  /** Returns the field's value; empty text if the pod does not have it. */
  public static String value(KubeObject pod, ObjectNode fieldRef) {
    String path = Json.text(fieldRef, "fieldPath");
    if (path == null) {
      return "";
    }
    if (isKey(LABEL, path)) {
      return orEmpty(pod.label(key(LABEL, path)));
    }
    if (isKey(ANNOTATION, path)) {
      return orEmpty(pod.annotation(key(ANNOTATION, path)));
    }
    return plain(pod, path).orElse("");
  }

  private static boolean isKey(String start, String path) {
    return path.startsWith(start)
        && path.endsWith(END)
        && path.length() >= start.length() + END.length();
  }

  private static String key(String start, String path) {
    return path.substring(start.length(), path.length() - END.length());
  }

  private static Optional<String> plain(KubeObject pod, String path) {
    return switch (path) {
      case "metadata.name" -> Optional.of(pod.name());
      case "metadata.namespace" -> Optional.of(pod.namespace());
      case "metadata.uid" -> Optional.of(pod.uid());
      case "spec.nodeName" -> Optional.of(orEmpty(Json.text(pod.spec(), "nodeName")));
      case "spec.serviceAccountName" ->
          Optional.of(orEmpty(Json.text(pod.spec(), "serviceAccountName")));
      case "status.hostIP", "status.hostIPs" -> Optional.of(LOCALHOST);
      case "status.podIP", "status.podIPs" ->
          Optional.ofNullable(Json.text(pod.status(), "podIP")).or(() -> Optional.of(LOCALHOST));
      default -> Optional.empty();
    };
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
