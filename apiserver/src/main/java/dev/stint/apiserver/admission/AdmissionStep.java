package dev.stint.apiserver.admission;

import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import tools.jackson.databind.node.ObjectNode;

/**
 * A step of admission, like an admission plugin of Kubernetes: it may add to a new object before
 * that is completed and validated, and may refuse a valid write. The steps of an API are a list;
 * each is called in its order. Quotas come last: the store's sequencer decides about them.
 */
public interface AdmissionStep {
  /**
   * Returns a new object with the additions of this step. Defaults are filled in afterwards.
   *
   * @param wanted not to be changed
   */
  default KubeObject mutate(Kind kind, KubeObject wanted) throws ClusterException {
    return wanted;
  }

  /**
   * Throws {@code FORBIDDEN} if a valid object may not be created.
   *
   * @param sent the object before it was completed
   * @param after the object as it will be stored
   */
  default void validateNew(ObjectRef ref, ObjectNode sent, ObjectNode after, WriteOptions options)
      throws ClusterException {}

  /**
   * Throws {@code FORBIDDEN} if an object may not be changed in a valid way.
   *
   * @param after the object as it will be stored
   */
  default void validateChange(
      ObjectRef ref, ObjectNode before, ObjectNode after, WriteOptions options)
      throws ClusterException {}
}
