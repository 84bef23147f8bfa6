package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Privilege escalation: every container rules it out. */
final class PrivilegeEscalationCheck {
  static final PodCheck CHECK =
      PodCheck.restricted(
          "allowPrivilegeEscalation",
          new PodCheck.Revision(8, PrivilegeEscalationCheck::check),
          PodCheck.exceptOnWindows(25, PrivilegeEscalationCheck::check));

  private PrivilegeEscalationCheck() {}

  private static @Nullable PolicyViolation check(CheckedPod pod) {
    List<String> containers = pod.namesWhere(PrivilegeEscalationCheck::mayEscalate);
    return containers.isEmpty()
        ? null
        : new PolicyViolation(
            "allowPrivilegeEscalation != false",
            ViolationText.containers(containers)
                + " must set securityContext.allowPrivilegeEscalation=false");
  }

  private static boolean mayEscalate(FieldPath securityContext) {
    FieldPath allowed = securityContext.get("allowPrivilegeEscalation");
    return !allowed.exists() || allowed.isTrue();
  }
}
