package dev.stint.embedded;

import dev.stint.cluster.Cluster;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldError;
import dev.stint.model.podsecurity.CheckedPod;
import dev.stint.model.podsecurity.NamespacePolicy;
import dev.stint.model.podsecurity.PodSecurityDecision;
import dev.stint.model.podsecurity.PodSecuritySettings;
import java.util.List;

/**
 * The levels of pod security of namespaces, as the node sees them. Admission has checked a pod when
 * it was created; the node does so again before the pod starts, since the pod may have been stored
 * before there was admission, or before its namespace had its level.
 */
public final class NamespaceLevels {
  private static final String SERVER = "";

  private final Cluster cluster;
  private final PodSecuritySettings settings;

  /**
   * Creates the levels of a cluster.
   *
   * @param cluster a cluster in this process, which answers at once
   */
  NamespaceLevels(Cluster cluster, PodSecuritySettings settings) {
    this.cluster = cluster;
    this.settings = settings;
  }

  /** True if pods of a namespace may ask for anything. */
  public boolean isPrivileged(String namespace) {
    return settings.exemptNamespaces().contains(namespace)
        || policy(namespace).enforce().isPrivileged();
  }

  /**
   * Returns why a pod must not start: it violates the level that its namespace enforces. Where
   * users are exempt, this returns nothing, since it is unknown who created a pod.
   */
  List<FieldError> refusals(KubeObject pod) {
    NamespacePolicy policy = policy(pod.namespace()).enforcedOnly();
    if (policy.allowsAll() || !settings.exemptUsers().isEmpty()) {
      return List.of();
    }
    PodSecurityDecision.Request request =
        new PodSecurityDecision.Request(SERVER, pod.namespace(), CheckedPod.of(pod.tree()));
    String refusal = PodSecurityDecision.ofPod(request, policy, settings).refusal();
    return refusal.isEmpty()
        ? List.of()
        : List.of(new FieldError("spec", FieldError.Type.FORBIDDEN, refusal));
  }

  private NamespacePolicy policy(String namespace) {
    return cluster
        .get(new ObjectRef(Kind.NAMESPACE, "", namespace))
        .thenApply(found -> NamespacePolicy.of(found::label, settings.defaults()))
        .exceptionally(unknown -> settings.defaults())
        .join();
  }
}
