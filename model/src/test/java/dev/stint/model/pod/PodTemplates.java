package dev.stint.model.pod;

import dev.stint.model.document.Document;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Pod specifications for tests, and their faults in short form. */
final class PodTemplates {
  private PodTemplates() {}

  /** Returns the faults of a pod with these lines under {@code spec}, as "path Cause". */
  static List<String> spec(String... lines) {
    ObjectNode pod =
        read(
            "containers: [{name: main, image: busybox}]\n  "
                + "restartPolicy: Never\n  "
                + String.join("\n  ", lines));
    return faults(pod);
  }

  /** Returns the faults of a pod whose container has these lines too, without its path. */
  static List<String> container(String... lines) {
    ObjectNode pod =
        read(
            "volumes: [{name: v}]\n  restartPolicy: Never\n  containers:\n  - name: main\n    "
                + "image: busybox\n    "
                + String.join("\n    ", lines));
    return faults(pod).stream().map(f -> f.replace("spec.containers[0].", "")).toList();
  }

  /**
   * Returns the warnings about a template with these lines under {@code spec}, without its
   * defaults.
   */
  static List<String> warnings(String... lines) {
    return PodTemplateWarnings.ofTemplate(
        FieldPath.root(
            read("containers: [{name: main, image: b}]\n  " + String.join("\n  ", lines))));
  }

  /** Returns the warnings about a template whose container has these lines too. */
  static List<String> containerWarnings(String... lines) {
    return PodTemplateWarnings.ofTemplate(
        FieldPath.root(read("containers:\n  - name: main\n    " + String.join("\n    ", lines))));
  }

  /** Returns a pod with these lines under {@code spec}, as it was written. */
  static ObjectNode read(String spec) {
    String text =
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default}\nspec:\n  "
            + spec
            + "\n";
    Document document = Documents.read("test", text.getBytes(StandardCharsets.UTF_8)).getFirst();
    if (!document.faults().isEmpty()) {
      throw new AssertionError(document.describe(document.faults().getFirst()) + "\n" + text);
    }
    return document.object().copy();
  }

  private static List<String> faults(ObjectNode pod) {
    PodDefaults.applyToSpec((ObjectNode) pod.get("spec"));
    FieldErrors faults = new FieldErrors();
    PodSpecRules.check(FieldPath.root(pod).get("spec"), null, faults);
    return faults.list().stream()
        .map(fault -> fault.path() + " " + fault.type().cause().replace("FieldValue", ""))
        .distinct()
        .sorted()
        .toList();
  }
}
