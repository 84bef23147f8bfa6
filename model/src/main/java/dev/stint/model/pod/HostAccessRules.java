package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.Map;

/** Rules of the namespaces and ports that a pod shares with its host. */
final class HostAccessRules {
  /** The fields that exclude {@code hostUsers: false}, with Kubernetes' spelling of their paths. */
  private static final Map<String, String> SHARED =
      Map.of("hostNetwork", "hostNetwork", "hostPID", "HostPID", "hostIPC", "HostIPC");

  private HostAccessRules() {}

  /**
   * @param pod whether this is a pod, whose ports have their defaults, and no template
   */
  static void check(FieldPath spec, boolean pod, FieldErrors faults) {
    if (spec.get("hostNetwork").isTrue()) {
      spec.get("containers").items().forEach(container -> ports(container, pod, faults));
    }
    FieldPath users = spec.get("hostUsers");
    if (users.exists() && !users.isTrue()) {
      for (String member : List.of("hostNetwork", "hostPID", "hostIPC")) {
        if (spec.get(member).isTrue()) {
          faults.forbidden(
              spec.path() + "." + SHARED.get(member), "cannot be true when hostUsers is false");
        }
      }
    }
  }

  private static void ports(FieldPath container, boolean pod, FieldErrors faults) {
    for (FieldPath port : container.get("ports").items()) {
      long hostPort = port.get("hostPort").count();
      if ((pod || hostPort != 0) && hostPort != port.get("containerPort").count()) {
        faults.invalid(port.get("hostPort"), "must be containerPort with hostNetwork");
      }
    }
  }
}
