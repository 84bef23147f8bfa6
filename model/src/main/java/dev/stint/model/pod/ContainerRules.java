package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.pod.ContainerListRules.Pod;
import java.util.List;

/** Rules of one container. */
final class ContainerRules {
  private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
  private static final List<String> MESSAGE_POLICIES = List.of("File", "FallbackToLogsOnError");
  private static final List<String> RESIZABLE = List.of("cpu", "memory");
  private static final List<String> RESIZE_POLICIES = List.of("NotRequired", "RestartContainer");

  private ContainerRules() {}

  static void check(At container, Pod pod, Faults faults) {
    if (container.get("image").isEmpty()) {
      faults.required(container.get("image"), "is needed");
    }
    faults.notSupportedUnlessIn(container.get("imagePullPolicy"), PULL_POLICIES);
    faults.notSupportedUnlessIn(container.get("terminationMessagePolicy"), MESSAGE_POLICIES);
    PortRules.check(container.get("ports"), faults);
    EnvironmentRules.check(container, faults);
    MountRules.check(container, pod.volumes(), faults);
    ResourceRules.check(container.get("resources"), faults);
    SecurityContextRules.container(container.get("securityContext"), pod.hostUsers(), faults);
    for (At policy : container.get("resizePolicy").items()) {
      faults.notSupportedUnlessIn(policy.get("resourceName"), RESIZABLE);
      faults.notSupportedUnlessIn(policy.get("restartPolicy"), RESIZE_POLICIES);
    }
  }

  /** Rules of what a kubelet calls while a container runs. */
  static void handlers(At container, Pod pod, Faults faults) {
    ProbeRules.check(container, faults);
    LifecycleRules.check(container.get("lifecycle"), pod.gracePeriodSeconds(), faults);
  }
}
