package dev.stint.apiserver.admission;

import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.apiserver.write.WriteOptions;
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
public final class RuntimeClassAdmission implements AdmissionStep {
  /** Throws {@code FORBIDDEN} if a pod names a class. */
  @Override
  public KubeObject mutate(Kind kind, KubeObject pod) throws ClusterException {
    String name = kind.equals(Kind.POD) ? Json.text(pod.spec(), "runtimeClassName") : null;
    if (name != null && !name.isEmpty()) {
      throw ApiErrors.forbidden(
          new ObjectRef(Kind.POD, pod.namespace(), pod.name()),
          "pod rejected: RuntimeClass \"" + name + "\" not found");
    }
    return pod;
  }

  /** Throws {@code FORBIDDEN} if a pod was sent with an overhead, even an empty one. */
  @Override
  public void validateNew(ObjectRef ref, ObjectNode sent, ObjectNode after, WriteOptions options)
      throws ClusterException {
    ObjectNode spec = ref.kind().equals(Kind.POD) ? Json.objectAt(sent, "spec") : null;
    if (spec != null && spec.hasNonNull("overhead")) {
      throw ApiErrors.forbidden(
          ref,
          "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
    }
  }
}
