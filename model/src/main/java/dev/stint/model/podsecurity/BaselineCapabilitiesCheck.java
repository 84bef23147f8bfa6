package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Capabilities: none but those that container runtimes give by default. */
final class BaselineCapabilitiesCheck {
  static final PodCheck CHECK =
      PodCheck.baseline(
          "capabilities_baseline", new PodCheck.Revision(0, BaselineCapabilitiesCheck::check));

  private static final Set<String> DEFAULT =
      Set.of(
          "AUDIT_WRITE",
          "CHOWN",
          "DAC_OVERRIDE",
          "FOWNER",
          "FSETID",
          "KILL",
          "MKNOD",
          "NET_BIND_SERVICE",
          "SETFCAP",
          "SETGID",
          "SETPCAP",
          "SETUID",
          "SYS_CHROOT");

  private BaselineCapabilitiesCheck() {}

  private static @Nullable PolicyViolation check(CheckedPod pod) {
    String added = addedBeyond(DEFAULT, pod);
    return added.isEmpty() ? null : new PolicyViolation("non-default capabilities", added);
  }

  /** Returns which containers add which capabilities that are not allowed; empty if none does. */
  static String addedBeyond(Set<String> allowed, CheckedPod pod) {
    List<String> containers = pod.namesWhere(context -> !beyond(allowed, context).isEmpty());
    if (containers.isEmpty()) {
      return "";
    }
    TreeSet<String> added = new TreeSet<>();
    pod.containers()
        .forEach(container -> added.addAll(beyond(allowed, container.get("securityContext"))));
    return ViolationText.containers(containers)
        + " must not include "
        + ViolationText.quoted(added)
        + " in securityContext.capabilities.add";
  }

  private static List<String> beyond(Set<String> allowed, FieldPath securityContext) {
    return securityContext.get("capabilities", "add").items().stream()
        .map(FieldPath::text)
        .filter(capability -> !allowed.contains(capability))
        .toList();
  }
}
