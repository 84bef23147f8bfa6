package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;

/** Rules of pods that do not apply to templates, since they were introduced later. */
final class PodOnlyRules {
  private PodOnlyRules() {}

  /** Checks the rules for a pod at any time. */
  static void check(FieldPath spec, FieldErrors faults) {
    for (String list : List.of("initContainers", "containers")) {
      for (FieldPath container : spec.get(list).items()) {
        FieldPath image = container.get("image");
        if (!image.text().equals(image.text().strip())) {
          faults.invalid(image, "must not begin or end with blanks");
        }
      }
    }
    for (FieldPath volume : spec.get("volumes").items()) {
      FieldPath image = volume.get("image");
      if (VolumeRules.isOfKind(volume, "image") && image.get("reference").isEmpty()) {
        faults.required(image.get("reference"), "is required");
      }
    }
  }

  private static void tokens(FieldPath spec, FieldErrors faults) {
    for (FieldPath volume : spec.get("volumes").items()) {
      for (FieldPath source : volume.get("projected", "sources").items()) {
        FieldPath token = source.get("serviceAccountToken");
        if (token.exists()) {
          faults.forbidden(token, "cannot be set without serviceAccountName");
        }
      }
    }
  }

  /** Checks the rules for a new pod. */
  static void create(FieldPath spec, FieldErrors faults) {
    FieldPath ephemeral = spec.get("ephemeralContainers");
    if (!ephemeral.isEmpty()) {
      faults.forbidden(ephemeral, "cannot be set on creation; they are added to running pods");
    }
    FieldPath node = spec.get("nodeName");
    if (!node.isEmpty() && !spec.get("schedulingGates").isEmpty()) {
      faults.forbidden(node, "cannot be set as long as there are schedulingGates");
    }
    if (spec.get("serviceAccountName").isEmpty()) {
      tokens(spec, faults);
    }
  }
}
