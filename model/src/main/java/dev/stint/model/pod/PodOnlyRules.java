package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import java.util.List;

/** Rules of pods that templates are free of, where they came too late to be asked. */
final class PodOnlyRules {
  private PodOnlyRules() {}

  /** What holds for a pod at any time. */
  static void check(At spec, Faults faults) {
    for (String list : List.of("initContainers", "containers")) {
      for (At container : spec.get(list).items()) {
        At image = container.get("image");
        if (!image.text().equals(image.text().strip())) {
          faults.invalid(image, "must not begin or end with blanks");
        }
      }
    }
    for (At volume : spec.get("volumes").items()) {
      At image = volume.get("image");
      if (VolumeRules.isOfKind(volume, "image") && image.get("reference").isEmpty()) {
        faults.required(image.get("reference"), "is needed");
      }
    }
  }

  private static void tokens(At spec, Faults faults) {
    for (At volume : spec.get("volumes").items()) {
      for (At source : volume.get("projected", "sources").items()) {
        At token = source.get("serviceAccountToken");
        if (token.exists()) {
          faults.forbidden(token, "can't be set without serviceAccountName");
        }
      }
    }
  }

  /** What holds for a pod that does not exist yet. */
  static void create(At spec, Faults faults) {
    At ephemeral = spec.get("ephemeralContainers");
    if (!ephemeral.isEmpty()) {
      faults.forbidden(ephemeral, "can't be set on creation; they are added to running pods");
    }
    At node = spec.get("nodeName");
    if (!node.isEmpty() && !spec.get("schedulingGates").isEmpty()) {
      faults.forbidden(node, "can't be set as long as there are schedulingGates");
    }
    if (spec.get("serviceAccountName").isEmpty()) {
      tokens(spec, faults);
    }
  }
}
