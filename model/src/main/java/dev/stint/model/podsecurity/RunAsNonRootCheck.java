package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Running as another user than root: every container, or the pod for all, requires it. */
final class RunAsNonRootCheck {
  static final PodCheck CHECK =
      PodCheck.restricted(
          "runAsNonRoot",
          new PodCheck.Revision(0, RunAsNonRootCheck::check),
          PodCheck.exceptInUserNamespaces(35, RunAsNonRootCheck::check));

  private RunAsNonRootCheck() {}

  private static @Nullable PolicyViolation check(CheckedPod pod) {
    FieldPath pods = pod.securityContext().get("runAsNonRoot");
    boolean podRefuses = refuses(pods);
    List<String> refusing = pod.namesWhere(context -> refuses(context.get("runAsNonRoot")));
    if (podRefuses || !refusing.isEmpty()) {
      return violation(
          ViolationText.setters(podRefuses, refusing)
              + " must not set securityContext.runAsNonRoot=false");
    }
    List<String> silent = pod.namesWhere(context -> !context.get("runAsNonRoot").exists());
    return pods.isTrue() || silent.isEmpty()
        ? null
        : violation(
            "pod or "
                + ViolationText.containers(silent)
                + " must set securityContext.runAsNonRoot=true");
  }

  private static PolicyViolation violation(String detail) {
    return new PolicyViolation("runAsNonRoot != true", detail);
  }

  private static boolean refuses(FieldPath runAsNonRoot) {
    return runAsNonRoot.exists() && !runAsNonRoot.isTrue();
  }
}
