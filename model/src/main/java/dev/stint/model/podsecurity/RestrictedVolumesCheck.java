package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Volumes: those of the API and of storage that administrators provide. */
final class RestrictedVolumesCheck {
  static final PodCheck CHECK =
      PodCheck.restricted(
              "restrictedVolumes", new PodCheck.Revision(0, RestrictedVolumesCheck::check))
          .insteadOf(HostPathVolumesCheck.CHECK);

  private static final Set<String> ALLOWED =
      Set.of(
          "configMap",
          "csi",
          "downwardAPI",
          "emptyDir",
          "ephemeral",
          "image",
          "persistentVolumeClaim",
          "projected",
          "secret");

  private RestrictedVolumesCheck() {}

  private static @Nullable PolicyViolation check(CheckedPod pod) {
    List<String> volumes = new ArrayList<>();
    TreeSet<String> types = new TreeSet<>();
    for (FieldPath volume : pod.spec().get("volumes").items()) {
      String type = type(volume);
      if (!ALLOWED.contains(type)) {
        volumes.add(volume.get("name").text());
        types.add(type);
      }
    }
    return volumes.isEmpty()
        ? null
        : new PolicyViolation(
            "restricted volume types",
            "%s %s %s %s %s"
                .formatted(
                    ViolationText.noun("volume", volumes),
                    ViolationText.quoted(volumes),
                    ViolationText.uses(volumes),
                    ViolationText.noun("restricted volume type", types),
                    ViolationText.quoted(types)));
  }

  /** Returns the type of a volume: its only member other than the name. */
  private static String type(FieldPath volume) {
    return volume.entries().stream()
        .filter(member -> member.exists() && !member.key().equals("name"))
        .map(FieldPath::key)
        .findFirst()
        .orElse("unknown");
  }
}
