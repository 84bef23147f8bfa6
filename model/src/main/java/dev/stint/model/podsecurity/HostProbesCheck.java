package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Probes and lifecycle handlers: they reach the pod and no other host (KEP-4940). */
final class HostProbesCheck {
  static final PodCheck CHECK =
      PodCheck.baseline(
          "hostProbesAndHostLifecycle", new PodCheck.Revision(34, HostProbesCheck::check));

  private static final List<String> PROBES =
      List.of("livenessProbe", "readinessProbe", "startupProbe");
  private static final List<String> HANDLERS = List.of("postStart", "preStop");

  private HostProbesCheck() {}

  private static @Nullable PolicyViolation check(CheckedPod pod) {
    TreeSet<String> containers = new TreeSet<>();
    TreeSet<String> hosts = new TreeSet<>();
    for (FieldPath container : pod.containers()) {
      List<String> own = hosts(container);
      if (!own.isEmpty()) {
        containers.add(container.get("name").text());
        hosts.addAll(own);
      }
    }
    return containers.isEmpty()
        ? null
        : new PolicyViolation(
            "probe or lifecycle host",
            "%s %s %s %s"
                .formatted(
                    ViolationText.containers(containers),
                    ViolationText.uses(containers),
                    ViolationText.noun("probe or lifecycle host", hosts),
                    ViolationText.quoted(hosts)));
  }

  private static List<String> hosts(FieldPath container) {
    return Stream.concat(
            PROBES.stream().map(container::get),
            HANDLERS.stream().map(handler -> container.get("lifecycle", handler)))
        .flatMap(handler -> Stream.of(handler.get("httpGet"), handler.get("tcpSocket")))
        .map(action -> action.get("host").text())
        .filter(host -> !host.isEmpty())
        .toList();
  }
}
