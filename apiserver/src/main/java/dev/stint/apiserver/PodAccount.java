package dev.stint.apiserver;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import tools.jackson.databind.node.ObjectNode;

/**
 * The service account of a new pod that names none, as a cluster's admission has it. Unlike there
 * no token is mounted, and the account need not exist.
 */
final class PodAccount {
  private static final String DEFAULT = "default";
  private static final String MIRROR = "kubernetes.io/config.mirror";

  private PodAccount() {}

  /** Returns the pod with its account. Mirror pods, which a node runs by itself, have none. */
  static KubeObject admit(KubeObject pod) {
    ObjectNode spec = pod.spec();
    if (spec == null || isNamed(spec) || isMirror(pod.tree())) {
      return pod;
    }
    ObjectNode tree = Json.copyOf(pod.tree());
    tree.set(
        "spec",
        Json.copyOf(spec).put("serviceAccountName", DEFAULT).put("serviceAccount", DEFAULT));
    return KubeObject.of(tree);
  }

  /** True if a spec names an account, by its member or by the deprecated one. */
  static boolean isNamed(ObjectNode spec) {
    return isNamed(spec, "serviceAccountName") || isNamed(spec, "serviceAccount");
  }

  private static boolean isNamed(ObjectNode spec, String member) {
    String name = Json.text(spec, member);
    return name != null && !name.isEmpty();
  }

  private static boolean isMirror(ObjectNode pod) {
    ObjectNode annotations = Json.objectAt(Json.objectAt(pod, "metadata"), "annotations");
    return annotations != null && annotations.has(MIRROR);
  }
}
