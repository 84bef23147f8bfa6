package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Processes of the host, on Windows: none. */
final class WindowsHostProcessCheck {
  static final PodCheck CHECK =
      PodCheck.baseline(
          "windowsHostProcess", new PodCheck.Revision(0, WindowsHostProcessCheck::check));

  private WindowsHostProcessCheck() {}

  private static @Nullable PolicyViolation check(CheckedPod pod) {
    boolean pods = isHostProcess(pod.securityContext());
    List<String> containers = pod.namesWhere(WindowsHostProcessCheck::isHostProcess);
    return !pods && containers.isEmpty()
        ? null
        : new PolicyViolation(
            "hostProcess",
            ViolationText.setters(pods, containers)
                + " must not set securityContext.windowsOptions.hostProcess=true");
  }

  private static boolean isHostProcess(FieldPath securityContext) {
    return securityContext.get("windowsOptions", "hostProcess").isTrue();
  }
}
