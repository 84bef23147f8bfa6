package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules of a pod's own fields; its parts have separate rules. */
final class PodSpecRules {
  private static final List<String> RESTART_POLICIES = List.of("Always", "OnFailure", "Never");
  private static final List<String> PREEMPTION_POLICIES = List.of("PreemptLowerPriority", "Never");
  private static final int LONGEST_HOSTNAME = 64;

  private PodSpecRules() {}

  /**
   * @param podName null for a template
   */
  static void check(FieldPath spec, @Nullable String podName, FieldErrors faults) {
    boolean pod = podName != null;
    Map<String, FieldPath> volumes = VolumeRules.check(spec.get("volumes"), podName, faults);
    Set<String> claims = ResourceClaimRules.check(spec.get("resourceClaims"), faults);
    ContainerListRules.check(spec, volumes, claims, faults);
    HostAccessRules.check(spec, pod, faults);
    WindowsRules.hostProcesses(spec, faults);
    DnsRules.check(spec, faults);
    names(spec, faults);
    deadline(spec.get("activeDeadlineSeconds"), faults);
    SecurityContextRules.pod(spec, faults);
    AffinityRules.check(spec.get("affinity"), faults);
    TolerationRules.check(spec.get("tolerations"), faults);
    TopologySpreadRules.check(spec.get("topologySpreadConstraints"), faults);
    nodeSelector(spec.get("nodeSelector"), faults);
    gates(spec, faults);
    OperatingSystemRules.check(spec, faults);
    spec.get("hostAliases").items().forEach(alias -> hostAlias(alias, faults));
    ResourceRules.overhead(spec.get("overhead"), faults);
    PodResourceRules.check(spec, claims, faults);
    FieldPath preemption = spec.get("preemptionPolicy");
    if (preemption.exists() && preemption.isEmpty()) {
      faults.required(preemption, "must not be empty; set it or leave it out");
    } else {
      faults.notSupportedUnlessIn(preemption, PREEMPTION_POLICIES);
    }
    hostnameOverride(spec, faults);
    if (pod) {
      PodOnlyRules.check(spec, faults);
    }
  }

  /** Checks the restart policy of a pod. Templates are checked by the rules of their owners. */
  static void restartPolicy(FieldPath policy, FieldErrors faults) {
    if (policy.isEmpty()) {
      faults.required(policy, "is required: Always, OnFailure or Never");
    } else {
      faults.notSupportedUnlessIn(policy, RESTART_POLICIES);
    }
  }

  /** Checks a label of a pod's DNS name, if there is one. */
  static void hostname(FieldPath label, FieldErrors faults) {
    if (!label.isEmpty()) {
      faults.invalidUnlessSound(label, Formats.dnsLabel(label.text()));
    }
  }

  private static void names(FieldPath spec, FieldErrors faults) {
    hostname(spec.get("hostname"), faults);
    hostname(spec.get("subdomain"), faults);
    for (String name : List.of("nodeName", "serviceAccountName", "priorityClassName")) {
      if (!spec.get(name).isEmpty()) {
        faults.invalidUnlessSound(spec.get(name), Formats.dnsSubdomain(spec.get(name).text()));
      }
    }
    FieldPath runtimeClass = spec.get("runtimeClassName");
    // An empty name counts as set, as in Kubernetes (a pointer), and is invalid.
    if (runtimeClass.exists()) {
      faults.invalidUnlessSound(runtimeClass, Formats.dnsSubdomain(runtimeClass.text()));
    }
  }

  private static void deadline(FieldPath deadline, FieldErrors faults) {
    if (deadline.exists() && (deadline.count() < 1 || deadline.count() > Integer.MAX_VALUE)) {
      faults.invalid(deadline, deadline.count() + " must be from 1 to 2147483647");
    }
  }

  private static void nodeSelector(FieldPath selector, FieldErrors faults) {
    for (FieldPath label : selector.entries()) {
      String key = Formats.qualifiedName(label.key());
      String value = Formats.labelValue(label.text());
      if (key != null) {
        faults.invalid(selector, key);
      }
      if (value != null) {
        faults.invalid(selector, value);
      }
    }
  }

  private static void gates(FieldPath spec, FieldErrors faults) {
    for (FieldPath gate : spec.get("readinessGates").items()) {
      FieldPath type = gate.get("conditionType");
      faults.invalidUnlessSound(type, Formats.qualifiedName(type.text()));
    }
    Set<String> seen = new HashSet<>();
    for (FieldPath gate : spec.get("schedulingGates").items()) {
      String name = gate.get("name").text();
      faults.invalidUnlessSound(gate, Formats.qualifiedName(name));
      if (!seen.add(name)) {
        faults.duplicate(gate, "\"" + name + "\" occurs twice");
      }
    }
  }

  private static void hostnameOverride(FieldPath spec, FieldErrors faults) {
    FieldPath override = spec.get("hostnameOverride");
    if (!override.exists()) {
      return;
    }
    faults.invalidUnlessSound(override, Formats.dnsSubdomain(override.text()));
    if (override.text().length() > LONGEST_HOSTNAME) {
      faults.tooLong(override.path(), "must have at most 64 characters");
    }
    if (spec.get("setHostnameAsFQDN").isTrue()) {
      faults.forbidden(override, "and setHostnameAsFQDN are mutually exclusive");
    }
    if (spec.get("hostNetwork").isTrue()) {
      faults.forbidden(override, "and hostNetwork are mutually exclusive");
    }
  }

  private static void hostAlias(FieldPath alias, FieldErrors faults) {
    faults.invalidUnlessSound(alias.get("ip"), Formats.ipAddress(alias.get("ip").text()));
    for (FieldPath hostname : alias.get("hostnames").items()) {
      faults.invalidUnlessSound(hostname, Formats.dnsSubdomain(hostname.text()));
    }
  }
}
