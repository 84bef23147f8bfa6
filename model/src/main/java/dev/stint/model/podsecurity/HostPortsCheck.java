package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Ports of the host: none. */
final class HostPortsCheck {
  static final PodCheck CHECK =
      PodCheck.baseline("hostPorts", new PodCheck.Revision(0, HostPortsCheck::check));

  private HostPortsCheck() {}

  private static @Nullable PolicyViolation check(CheckedPod pod) {
    List<String> containers = new ArrayList<>();
    TreeSet<String> ports = new TreeSet<>();
    for (FieldPath container : pod.containers()) {
      List<String> own = hostPorts(container);
      if (!own.isEmpty()) {
        containers.add(container.get("name").text());
        ports.addAll(own);
      }
    }
    return containers.isEmpty()
        ? null
        : new PolicyViolation(
            "hostPort",
            "%s %s %s %s"
                .formatted(
                    ViolationText.containers(containers),
                    ViolationText.uses(containers),
                    ViolationText.noun("hostPort", ports),
                    String.join(", ", ports)));
  }

  private static List<String> hostPorts(FieldPath container) {
    return container.get("ports").items().stream()
        .map(port -> port.get("hostPort").count())
        .filter(port -> port != 0)
        .map(port -> Long.toString(port))
        .toList();
  }
}
