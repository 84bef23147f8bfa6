package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The user that a pod asks for: not root. */
final class RunAsUserCheck {
  static final PodCheck CHECK =
      PodCheck.restricted(
          "runAsUser",
          new PodCheck.Revision(23, RunAsUserCheck::check),
          PodCheck.exceptInUserNamespaces(35, RunAsUserCheck::check));

  private RunAsUserCheck() {}

  private static @Nullable PolicyViolation check(CheckedPod pod) {
    boolean pods = isRoot(pod.securityContext());
    List<String> containers = pod.namesWhere(RunAsUserCheck::isRoot);
    return !pods && containers.isEmpty()
        ? null
        : new PolicyViolation(
            "runAsUser=0", ViolationText.setters(pods, containers) + " must not set runAsUser=0");
  }

  private static boolean isRoot(FieldPath securityContext) {
    Long user = securityContext.get("runAsUser").number();
    return user != null && user == 0;
  }
}
