package dev.stint.apiserver;

import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import tools.jackson.databind.node.ObjectNode;

/**
 * The admission of runtime classes, as in a cluster. No classes are served, so that a pod can
 * neither name one nor have the overhead of one.
 */
final class RuntimeClassAdmission {
  private RuntimeClassAdmission() {}

  /** Throws {@code FORBIDDEN} if a pod names a class; called before the pod is validated. */
  static void admit(KubeObject pod) throws ClusterException {
    String name = Json.text(pod.spec(), "runtimeClassName");
    if (name != null && !name.isEmpty()) {
      throw ApiErrors.forbidden(
          new ObjectRef(Kind.POD, pod.namespace(), pod.name()),
          "pod rejected: RuntimeClass \"" + name + "\" not found");
    }
  }

  /**
   * Throws {@code FORBIDDEN} if a pod has an overhead, even an empty one; called after the pod is
   * validated.
   *
   * @param pod as it was sent
   */
  static void validate(ObjectRef ref, ObjectNode pod) throws ClusterException {
    ObjectNode spec = Json.objectAt(pod, "spec");
    if (spec != null && spec.hasNonNull("overhead")) {
      throw ApiErrors.forbidden(
          ref,
          "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
    }
  }
}
