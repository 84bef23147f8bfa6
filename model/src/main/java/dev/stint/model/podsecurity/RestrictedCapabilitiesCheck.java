package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Capabilities: every container drops all of them, and may add that of binding to low ports. */
final class RestrictedCapabilitiesCheck {
  static final PodCheck CHECK =
      PodCheck.restricted(
              "capabilities_restricted",
              new PodCheck.Revision(22, RestrictedCapabilitiesCheck::check),
              PodCheck.exceptOnWindows(25, RestrictedCapabilitiesCheck::check))
          .insteadOf(BaselineCapabilitiesCheck.CHECK);

  private static final Set<String> ALLOWED = Set.of("NET_BIND_SERVICE");

  private RestrictedCapabilitiesCheck() {}

  private static @Nullable PolicyViolation check(CheckedPod pod) {
    List<String> faults = new ArrayList<>();
    List<String> keeping = pod.namesWhere(context -> !dropsAll(context));
    if (!keeping.isEmpty()) {
      faults.add(
          ViolationText.containers(keeping)
              + " must set securityContext.capabilities.drop=[\"ALL\"]");
    }
    String added = BaselineCapabilitiesCheck.addedBeyond(ALLOWED, pod);
    if (!added.isEmpty()) {
      faults.add(added);
    }
    return faults.isEmpty()
        ? null
        : new PolicyViolation("unrestricted capabilities", String.join("; ", faults));
  }

  private static boolean dropsAll(FieldPath securityContext) {
    return securityContext.get("capabilities", "drop").items().stream()
        .anyMatch(capability -> capability.text().equals("ALL"));
  }
}
