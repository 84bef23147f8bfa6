package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules that hold among the containers of a pod. */
final class ContainerListRules {
  private static final List<String> RESTART_POLICIES = List.of("Always", "OnFailure", "Never");

  private ContainerListRules() {}

  static void check(At spec, Set<String> volumes, Faults faults) {
    At containers = spec.get("containers");
    if (containers.items().isEmpty()) {
      faults.required(containers, "needs one container at least");
    }
    Pod pod = new Pod(spec, volumes);
    Set<String> names = new HashSet<>();
    Set<String> hostPorts = new HashSet<>();
    for (At container : containers.items()) {
      name(container.get("name"), names, faults);
      ContainerRules.check(container, pod, faults);
      ContainerRules.handlers(container, pod, faults);
      PortRules.hostPorts(container.get("ports"), hostPorts, faults);
      faults.notSupportedUnlessIn(container.get("restartPolicy"), RESTART_POLICIES);
    }
    for (At container : spec.get("initContainers").items()) {
      name(container.get("name"), names, faults);
      ContainerRules.check(container, pod, faults);
      initContainer(container, pod, faults);
    }
  }

  /** What the rules of a container need to know of its pod. */
  record Pod(At spec, Set<String> volumes) {
    boolean hostUsers() {
      return !spec.get("hostUsers").exists() || spec.get("hostUsers").isTrue();
    }

    long gracePeriodSeconds() {
      return spec.get("terminationGracePeriodSeconds").count();
    }
  }

  private static void initContainer(At container, Pod pod, Faults faults) {
    At restartPolicy = container.get("restartPolicy");
    faults.notSupportedUnlessIn(restartPolicy, RESTART_POLICIES);
    if (restartPolicy.text().equals("Always")) {
      ContainerRules.handlers(container, pod, faults);
      return;
    }
    for (String member : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")) {
      if (container.get(member).exists()) {
        faults.forbidden(
            container.get(member), "is for init containers with restartPolicy Always only");
      }
    }
  }

  private static void name(At name, Set<String> names, Faults faults) {
    if (name.isEmpty()) {
      faults.required(name, "is needed");
      return;
    }
    String complaint = Formats.dnsLabel(name.text());
    faults.invalidUnlessSound(name, complaint);
    if (complaint == null && !names.add(name.text())) {
      faults.duplicate(name, "\"" + name.text() + "\" names another container already");
    }
  }
}
