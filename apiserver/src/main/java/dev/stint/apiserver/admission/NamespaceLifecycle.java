package dev.stint.apiserver.admission;

import dev.stint.apiserver.outcome.NewObject;
import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.apiserver.strategy.MetadataDefaults;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import tools.jackson.databind.node.ObjectNode;

/** Admits new objects to namespaces that exist and are not being deleted. */
public final class NamespaceLifecycle implements AdmissionStep {
  private final ObjectReader stored;

  public NamespaceLifecycle(ObjectReader stored) {
    this.stored = stored;
  }

  /**
   * Throws {@code NOT_FOUND} or {@code FORBIDDEN} if the namespace does not exist or is being
   * deleted. {@code default} always exists.
   */
  @Override
  public KubeObject mutate(Kind kind, KubeObject wanted) throws ClusterException {
    if (kind.namespaced()) {
      String name = wanted.namespace().isEmpty() ? NewObject.DEFAULT_NAMESPACE : wanted.namespace();
      ObjectRef ref = new ObjectRef(Kind.NAMESPACE, "", name);
      ObjectNode namespace = stored.tree(ref);
      if (namespace == null && !name.equals(NewObject.DEFAULT_NAMESPACE)) {
        throw ApiErrors.notFound(ref);
      }
      if (namespace != null && MetadataDefaults.isDeleting(namespace)) {
        throw ApiErrors.terminatingNamespace(new ObjectRef(kind, name, wanted.name()));
      }
    }
    return wanted;
  }
}
