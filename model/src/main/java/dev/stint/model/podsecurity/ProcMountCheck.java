package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The masks of {@code /proc}: the default ones. From 1.35 on, the baseline level lets pods with a
 * user namespace of their own do without.
 */
final class ProcMountCheck {
  static final PodCheck BASELINE =
      PodCheck.baseline(
          "procMount",
          new PodCheck.Revision(0, ProcMountCheck::check),
          PodCheck.exceptInUserNamespaces(35, ProcMountCheck::check));

  static final PodCheck RESTRICTED =
      PodCheck.restricted("procMount_restricted", new PodCheck.Revision(35, ProcMountCheck::check))
          .insteadOf(BASELINE);

  private ProcMountCheck() {}

  private static @Nullable PolicyViolation check(CheckedPod pod) {
    List<String> containers = pod.namesWhere(context -> !isDefault(context.get("procMount")));
    if (containers.isEmpty()) {
      return null;
    }
    TreeSet<String> types = new TreeSet<>();
    for (FieldPath container : pod.containers()) {
      FieldPath type = container.get("securityContext", "procMount");
      if (!isDefault(type)) {
        types.add(type.text());
      }
    }
    return new PolicyViolation(
        "procMount",
        "%s must not set securityContext.procMount to %s"
            .formatted(ViolationText.containers(containers), ViolationText.quoted(types)));
  }

  private static boolean isDefault(FieldPath type) {
    return !type.exists() || type.text().equals("Default");
  }
}
