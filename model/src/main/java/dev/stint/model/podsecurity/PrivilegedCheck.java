package dev.stint.model.podsecurity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Privileged containers: none. */
final class PrivilegedCheck {
  static final PodCheck CHECK =
      PodCheck.baseline("privileged", new PodCheck.Revision(0, PrivilegedCheck::check));

  private PrivilegedCheck() {}

  private static @Nullable PolicyViolation check(CheckedPod pod) {
    List<String> containers = pod.namesWhere(context -> context.get("privileged").isTrue());
    return containers.isEmpty()
        ? null
        : new PolicyViolation(
            "privileged",
            ViolationText.containers(containers) + " must not set securityContext.privileged=true");
  }
}
