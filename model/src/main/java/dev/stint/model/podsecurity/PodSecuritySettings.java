package dev.stint.model.podsecurity;

import java.util.Set;

/**
 * The settings of a server for pod security.
 *
 * @param defaults the policy of namespaces without labels
 * @param exemptUsers users whose requests are not checked
 * @param exemptRuntimeClasses runtime classes whose pods are not checked
 * @param exemptNamespaces namespaces whose pods are not checked
 */
public record PodSecuritySettings(
    NamespacePolicy defaults,
    Set<String> exemptUsers,
    Set<String> exemptRuntimeClasses,
    Set<String> exemptNamespaces) {
  /** The settings of Kubernetes: labels decide, and nothing is exempt. */
  public static final PodSecuritySettings LABELS_ONLY =
      new PodSecuritySettings(NamespacePolicy.PRIVILEGED, Set.of(), Set.of(), Set.of());

  public PodSecuritySettings {
    exemptUsers = Set.copyOf(exemptUsers);
    exemptRuntimeClasses = Set.copyOf(exemptRuntimeClasses);
    exemptNamespaces = Set.copyOf(exemptNamespaces);
  }

  /**
   * Returns what exempts a request from all checks, in Kubernetes' words; empty for nothing.
   *
   * @param user the user's name; empty for the server itself
   */
  String exemption(String user, String namespace, CheckedPod pod) {
    if (exemptNamespaces.contains(namespace)) {
      return "namespace";
    }
    if (exemptUsers.contains(user)) {
      return "user";
    }
    String runtimeClass = pod.spec().get("runtimeClassName").text();
    return exemptRuntimeClasses.contains(runtimeClass) ? "runtimeClass" : "";
  }
}
