package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rules across the containers of a pod. */
final class ContainerListRules {
  private ContainerListRules() {}

  static void check(
      FieldPath spec, Map<String, FieldPath> volumes, Set<String> claims, FieldErrors faults) {
    FieldPath containers = spec.get("containers");
    if (containers.items().isEmpty()) {
      faults.required(containers, "needs at least one container");
    }
    Pod pod = new Pod(spec, volumes, claims);
    Set<String> names = new HashSet<>();
    Set<String> hostPorts = new HashSet<>();
    for (FieldPath container : containers.items()) {
      name(container.get("name"), names, faults);
      ContainerRules.check(container, pod, faults);
      ContainerRules.handlers(container, pod, faults);
      PortRules.hostPorts(container.get("ports"), hostPorts, faults);
      ContainerRestartRules.check(container, faults);
    }
    for (FieldPath container : spec.get("initContainers").items()) {
      name(container.get("name"), names, faults);
      ContainerRules.check(container, pod, faults);
      initContainer(container, pod, faults);
      PortRules.hostPorts(container.get("ports"), new HashSet<>(), faults);
    }
    for (FieldPath container : spec.get("ephemeralContainers").items()) {
      name(container.get("name"), names, faults);
      ContainerRules.check(container, pod, faults);
      EphemeralContainerRules.check(container, spec, faults);
    }
  }

  /**
   * The parts of a pod that the rules of a container need.
   *
   * @param volumes the valid volumes by name
   * @param claims the names of the resource claims
   */
  record Pod(FieldPath spec, Map<String, FieldPath> volumes, Set<String> claims) {
    boolean hostUsers() {
      return !spec.get("hostUsers").exists() || spec.get("hostUsers").isTrue();
    }

    long gracePeriodSeconds() {
      return spec.get("terminationGracePeriodSeconds").count();
    }

    boolean neverRestarts() {
      return spec.get("restartPolicy").text().equals("Never");
    }
  }

  private static void initContainer(FieldPath container, Pod pod, FieldErrors faults) {
    ContainerRestartRules.check(container, faults);
    if (container.get("restartPolicy").text().equals("Always")) {
      ContainerRules.handlers(container, pod, faults);
      return;
    }
    for (String member : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")) {
      if (container.get(member).exists()) {
        faults.forbidden(
            container.get(member), "is only allowed for init containers with restartPolicy Always");
      }
    }
  }

  private static void name(FieldPath name, Set<String> names, FieldErrors faults) {
    if (name.isEmpty()) {
      faults.required(name, "is required");
    } else {
      faults.invalidUnlessSound(name, Formats.dnsLabel(name.text()));
    }
    if (!names.add(name.text())) {
      faults.duplicate(name, "\"" + name.text() + "\" already names another container");
    }
  }
}
