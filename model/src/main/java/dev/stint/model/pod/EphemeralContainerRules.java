package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.MessagePhrases;
import java.util.List;

/**
 * Rules of ephemeral containers, which have fewer fields than others, since they are added to
 * running pods.
 */
final class EphemeralContainerRules {
  private static final List<String> FORBIDDEN =
      List.of(
          "ports",
          "resizePolicy",
          "restartPolicy",
          "restartPolicyRules",
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "lifecycle");

  private EphemeralContainerRules() {}

  static void check(FieldPath container, FieldPath spec, FieldErrors faults) {
    for (String member : FORBIDDEN) {
      FieldPath field = container.get(member);
      if (field.exists()) {
        faults.forbidden(field, "cannot be set for an ephemeral container");
      }
    }
    if (!container.get("resources").isEmpty()) {
      faults.forbidden(container.get("resources"), "cannot be set for an ephemeral container");
    }
    imageName(container.get("image"), faults);
    for (FieldPath mount : container.get("volumeMounts").items()) {
      for (String member : List.of("subPath", "subPathExpr")) {
        if (!mount.get(member).isEmpty()) {
          faults.forbidden(mount.get(member), "cannot be set for an ephemeral container");
        }
      }
    }
    target(container.get("targetContainerName"), spec, faults);
  }

  /** Rejects blanks around an image name; other containers of templates may have them. */
  private static void imageName(FieldPath image, FieldErrors faults) {
    if (!image.text().equals(image.text().strip())) {
      faults.invalid(image, "must not begin or end with blanks");
    }
  }

  private static void target(FieldPath target, FieldPath spec, FieldErrors faults) {
    boolean found =
        target.isEmpty()
            || List.of("containers", "initContainers").stream()
                .flatMap(list -> spec.get(list).items().stream())
                .anyMatch(container -> container.get("name").text().equals(target.text()));
    if (!found) {
      faults.notFound(
          target, MessagePhrases.quoted(target.text()) + " is not a container of the pod");
    }
  }
}
