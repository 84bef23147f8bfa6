package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Seccomp: every container, or the pod for all, has the runtime's profile or one of the node's. */
final class RestrictedSeccompCheck {
  static final PodCheck CHECK =
      PodCheck.restricted(
              "seccompProfile_restricted",
              new PodCheck.Revision(19, RestrictedSeccompCheck::check),
              PodCheck.exceptOnWindows(25, RestrictedSeccompCheck::check))
          .insteadOf(BaselineSeccompCheck.CHECK);

  private RestrictedSeccompCheck() {}

  private static @Nullable PolicyViolation check(CheckedPod pod) {
    PolicyViolation forbidden = BaselineSeccompCheck.fields(pod);
    if (forbidden != null || hasProfile(pod.securityContext())) {
      return forbidden;
    }
    List<String> without = pod.namesWhere(context -> !hasProfile(context));
    return without.isEmpty()
        ? null
        : new PolicyViolation(
            "seccompProfile",
            "pod or "
                + ViolationText.containers(without)
                + " must set securityContext.seccompProfile.type to \"RuntimeDefault\" or"
                + " \"Localhost\"");
  }

  private static boolean hasProfile(FieldPath securityContext) {
    return securityContext.get("seccompProfile").exists();
  }
}
