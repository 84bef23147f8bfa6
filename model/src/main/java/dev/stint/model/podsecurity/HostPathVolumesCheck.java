package dev.stint.model.podsecurity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Volumes of the host's file system: none. */
final class HostPathVolumesCheck {
  static final PodCheck CHECK =
      PodCheck.baseline("hostPathVolumes", new PodCheck.Revision(0, HostPathVolumesCheck::check));

  private HostPathVolumesCheck() {}

  private static @Nullable PolicyViolation check(CheckedPod pod) {
    List<String> volumes =
        pod.spec().get("volumes").items().stream()
            .filter(volume -> volume.get("hostPath").exists())
            .map(volume -> volume.get("name").text())
            .toList();
    return volumes.isEmpty()
        ? null
        : new PolicyViolation(
            "hostPath volumes",
            ViolationText.noun("volume", volumes) + " " + ViolationText.quoted(volumes));
  }
}
