package dev.stint.apiserver.openapi;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The allowed values of fields that are enumerations. */
final class Enums {
  private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
  private static final List<String> MESSAGE_POLICIES = List.of("FallbackToLogsOnError", "File");
  private static final List<String> PREEMPTION = List.of("Never", "PreemptLowerPriority");
  private static final List<String> PROFILES = List.of("Localhost", "RuntimeDefault", "Unconfined");
  private static final List<String> EFFECTS =
      List.of("NoExecute", "NoSchedule", "PreferNoSchedule");
  private static final List<String> SCOPES =
      List.of(
          "BestEffort",
          "CrossNamespacePodAffinity",
          "NotBestEffort",
          "NotTerminating",
          "PriorityClass",
          "Terminating",
          "VolumeAttributesClass");
  private static final List<String> INCLUSION = List.of("Honor", "Ignore");

  private static final Map<String, List<String>> BY_FIELD =
      Map.ofEntries(
          Map.entry("AppArmorProfile.type", PROFILES),
          Map.entry("AzureDiskVolumeSource.cachingMode", List.of("None", "ReadOnly", "ReadWrite")),
          Map.entry("AzureDiskVolumeSource.kind", List.of("Dedicated", "Managed", "Shared")),
          Map.entry("Container.imagePullPolicy", PULL_POLICIES),
          Map.entry("Container.terminationMessagePolicy", MESSAGE_POLICIES),
          Map.entry("ContainerPort.protocol", List.of("SCTP", "TCP", "UDP")),
          Map.entry("CronJobSpec.concurrencyPolicy", List.of("Allow", "Forbid", "Replace")),
          Map.entry("EphemeralContainer.imagePullPolicy", PULL_POLICIES),
          Map.entry("EphemeralContainer.terminationMessagePolicy", MESSAGE_POLICIES),
          Map.entry("HTTPGetAction.scheme", List.of("HTTP", "HTTPS")),
          Map.entry(
              "HostPathVolumeSource.type",
              List.of(
                  "",
                  "BlockDevice",
                  "CharDevice",
                  "Directory",
                  "DirectoryOrCreate",
                  "File",
                  "FileOrCreate",
                  "Socket")),
          Map.entry("ImageVolumeSource.pullPolicy", PULL_POLICIES),
          Map.entry("JobSpec.completionMode", List.of("Indexed", "NonIndexed")),
          Map.entry("JobSpec.podReplacementPolicy", List.of("Failed", "TerminatingOrFailed")),
          Map.entry("NamespaceStatus.phase", List.of("Active", "Terminating")),
          Map.entry(
              "NodeSelectorRequirement.operator",
              List.of("DoesNotExist", "Exists", "Gt", "In", "Lt", "NotIn")),
          Map.entry("NodeStatus.phase", List.of("Pending", "Running", "Terminated")),
          Map.entry(
              "PersistentVolumeClaimSpec.accessModes",
              List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")),
          Map.entry("PersistentVolumeClaimSpec.volumeMode", List.of("Block", "Filesystem")),
          Map.entry("PodFailurePolicyOnExitCodesRequirement.operator", List.of("In", "NotIn")),
          Map.entry(
              "PodFailurePolicyRule.action", List.of("Count", "FailIndex", "FailJob", "Ignore")),
          Map.entry("PodSecurityContext.fsGroupChangePolicy", List.of("Always", "OnRootMismatch")),
          Map.entry("PodSecurityContext.supplementalGroupsPolicy", List.of("Merge", "Strict")),
          Map.entry(
              "PodSpec.dnsPolicy",
              List.of("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")),
          Map.entry("PodSpec.preemptionPolicy", PREEMPTION),
          Map.entry("PodSpec.restartPolicy", List.of("Always", "Never", "OnFailure")),
          Map.entry(
              "PodStatus.phase", List.of("Failed", "Pending", "Running", "Succeeded", "Unknown")),
          Map.entry("PodStatus.qosClass", List.of("BestEffort", "Burstable", "Guaranteed")),
          Map.entry("PriorityClass.preemptionPolicy", PREEMPTION),
          Map.entry("ResourceQuotaSpec.scopes", SCOPES),
          Map.entry("ScopedResourceSelectorRequirement.scopeName", SCOPES),
          Map.entry(
              "ScopedResourceSelectorRequirement.operator",
              List.of("DoesNotExist", "Exists", "In", "NotIn")),
          Map.entry("SeccompProfile.type", PROFILES),
          Map.entry("SecurityContext.procMount", List.of("Default", "Unmasked")),
          Map.entry("Taint.effect", EFFECTS),
          Map.entry("Toleration.effect", EFFECTS),
          Map.entry("Toleration.operator", List.of("Equal", "Exists", "Gt", "Lt")),
          Map.entry("TopologySpreadConstraint.nodeAffinityPolicy", INCLUSION),
          Map.entry("TopologySpreadConstraint.nodeTaintsPolicy", INCLUSION),
          Map.entry(
              "TopologySpreadConstraint.whenUnsatisfiable",
              List.of("DoNotSchedule", "ScheduleAnyway")),
          Map.entry(
              "VolumeMount.mountPropagation", List.of("Bidirectional", "HostToContainer", "None")));

  private Enums() {}

  /** Returns the values of a field, or of the items of a list; none if it is not an enumeration. */
  static List<String> of(String type, String field) {
    return BY_FIELD.getOrDefault(type + "." + field, List.of());
  }

  /** Returns all fields that are enumerations, such as {@code JobSpec.completionMode}. */
  static Set<String> fields() {
    return BY_FIELD.keySet();
  }
}
