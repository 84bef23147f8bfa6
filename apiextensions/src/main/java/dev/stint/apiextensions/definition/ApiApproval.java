package dev.stint.apiextensions.definition;

import dev.stint.model.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The approval that a definition of one of Kubernetes' own groups claims (KEP-1111).
 *
 * @param text the annotation; empty if there is none
 */
public record ApiApproval(String text) {
  static final String ANNOTATION = "api-approved.kubernetes.io";

  /** Returns the approval of a definition; null if its group needs none. */
  public static @Nullable ApiApproval of(ObjectNode definition) {
    String group = Json.text(Json.objectAt(definition, "spec"), "group");
    if (group == null || !isProtected(group)) {
      return null;
    }
    ObjectNode metadata = Json.objectAt(definition, "metadata");
    String text = Json.text(Json.objectAt(metadata, "annotations"), ANNOTATION);
    return new ApiApproval(Objects.requireNonNullElse(text, ""));
  }

  private static boolean isProtected(String group) {
    String within = "." + group;
    return within.endsWith(".k8s.io") || within.endsWith(".kubernetes.io");
  }

  /** True if the annotation links to an approval. */
  public boolean isGiven() {
    return text.startsWith("https://");
  }

  private boolean isDenied() {
    return text.startsWith("unapproved");
  }

  /** True if the annotation says neither. */
  boolean isFault() {
    return !isGiven() && !isDenied();
  }

  /** Returns the reason of the condition that tells of it. */
  public String reason() {
    if (text.isEmpty()) {
      return "MissingAnnotation";
    }
    return isGiven()
        ? "ApprovedAnnotation"
        : isDenied() ? "UnapprovedAnnotation" : "InvalidAnnotation";
  }

  /** Returns the message of the condition, which is that of the fault too. */
  public String message() {
    if (isGiven()) {
      return "approved in " + text;
    }
    if (isDenied()) {
      return "not approved: \"" + text + '"';
    }
    String choice =
        text.isEmpty() ? "" : " with either a URL or a reason starting with \"unapproved\"";
    return "protected groups must have approval annotation \""
        + ANNOTATION
        + '"'
        + choice
        + ", see https://github.com/kubernetes/enhancements/pull/1111";
  }
}
