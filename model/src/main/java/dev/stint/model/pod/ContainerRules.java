package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.pod.ContainerListRules.Pod;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules of one container. */
final class ContainerRules {
  private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
  private static final List<String> MESSAGE_POLICIES = List.of("File", "FallbackToLogsOnError");
  private static final List<String> RESIZABLE = List.of("cpu", "memory");
  private static final List<String> RESIZE_POLICIES = List.of("NotRequired", "RestartContainer");

  private ContainerRules() {}

  static void check(FieldPath container, Pod pod, FieldErrors faults) {
    if (container.get("image").isEmpty()) {
      faults.required(container.get("image"), "is required");
    }
    faults.notSupportedUnlessIn(container.get("imagePullPolicy"), PULL_POLICIES);
    faults.notSupportedUnlessIn(container.get("terminationMessagePolicy"), MESSAGE_POLICIES);
    PortRules.check(container.get("ports"), faults);
    EnvironmentRules.check(container, pod.spec().get("volumes"), faults);
    VolumeMountRules.check(container, pod.volumes(), faults);
    if (!pod.hostUsers() && !container.get("volumeDevices").isEmpty()) {
      faults.forbidden(container.get("volumeDevices"), "cannot be set when hostUsers is false");
    }
    ResourceRules.container(container.get("resources"), pod.claims(), faults);
    SecurityContextRules.container(container.get("securityContext"), pod.hostUsers(), faults);
    resizePolicy(container.get("resizePolicy"), pod, faults);
  }

  /** Checks resize policies. Faults are reported at the list, as in Kubernetes. */
  private static void resizePolicy(FieldPath policies, Pod pod, FieldErrors faults) {
    Set<String> seen = new HashSet<>();
    for (FieldPath policy : policies.items()) {
      FieldPath resource = policy.get("resourceName");
      FieldPath restart = policy.get("restartPolicy");
      if (!seen.add(resource.text())) {
        faults.duplicate(policy, "\"" + resource.text() + "\" occurs twice");
      }
      oneOf(resource.reportedAt(policies), RESIZABLE, faults);
      oneOf(restart.reportedAt(policies), RESIZE_POLICIES, faults);
      if (pod.neverRestarts() && !restart.text().equals("NotRequired")) {
        faults.invalid(policies, "must be NotRequired when the pod's restartPolicy is Never");
      }
    }
  }

  private static void oneOf(FieldPath value, List<String> supported, FieldErrors faults) {
    if (value.isEmpty()) {
      faults.required(value, "needs one of " + String.join(", ", supported));
    } else {
      faults.notSupportedUnlessIn(value, supported);
    }
  }

  /** Checks the handlers that a kubelet calls while a container runs. */
  static void handlers(FieldPath container, Pod pod, FieldErrors faults) {
    ProbeRules.check(container, faults);
    String system = pod.spec().get("os", "name").text();
    LifecycleRules.check(container.get("lifecycle"), pod.gracePeriodSeconds(), system, faults);
  }
}
