package dev.stint.cluster;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request to a {@link Cluster}, as a {@link ForwardingCluster} sees it.
 *
 * @param subresource empty, {@code status} or {@code finalize}
 * @param ref the object; for a list, its kind and namespace with an empty name
 * @param body the object or patch to send; null if there is none
 * @param isRepeatable true if sending it twice does no harm. If the first write succeeded and its
 *     answer was lost, the second fails with {@code CONFLICT}, {@code ALREADY_EXISTS} or {@code
 *     NOT_FOUND}
 */
public record ClusterRequest(
    Verb verb, String subresource, ObjectRef ref, @Nullable ObjectNode body, boolean isRepeatable) {
  /** The action of a request. */
  public enum Verb {
    GET,
    LIST,
    CREATE,
    UPDATE,
    PATCH,
    DELETE
  }

  /** Returns a read of an object, which is repeatable. */
  static ClusterRequest get(ObjectRef ref) {
    return new ClusterRequest(Verb.GET, "", ref, null, true);
  }

  static ClusterRequest list(Kind kind, @Nullable String namespace, boolean isRepeatable) {
    ObjectRef all = new ObjectRef(kind, namespace == null ? "" : namespace, "");
    return new ClusterRequest(Verb.LIST, "", all, null, isRepeatable);
  }

  /** Returns a creation, which is repeatable if it names the object. */
  static ClusterRequest create(KubeObject object) {
    return new ClusterRequest(
        Verb.CREATE, "", object.ref(), object.tree(), !object.name().isEmpty());
  }

  /** Returns an update, which is repeatable if it names the revision that it changes. */
  static ClusterRequest update(KubeObject object, String subresource) {
    return new ClusterRequest(
        Verb.UPDATE, subresource, object.ref(), object.tree(), isOfOneRevision(object.tree()));
  }

  /** Returns a patch, which is repeatable if it names the revision that it changes. */
  static ClusterRequest patch(ObjectRef ref, String subresource, ObjectNode patch) {
    return new ClusterRequest(Verb.PATCH, subresource, ref, patch, isOfOneRevision(patch));
  }

  /** Returns a deletion, which is repeatable if it names the uid. */
  static ClusterRequest delete(ObjectRef ref, DeleteOptions options) {
    return new ClusterRequest(Verb.DELETE, "", ref, null, options.uid() != null);
  }

  private static boolean isOfOneRevision(ObjectNode document) {
    return document.path("metadata").hasNonNull("resourceVersion");
  }

  /** True if the request changes something. */
  public boolean isWrite() {
    return verb != Verb.GET && verb != Verb.LIST;
  }
}
