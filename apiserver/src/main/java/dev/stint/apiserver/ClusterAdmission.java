package dev.stint.apiserver;

import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.apiserver.strategy.MetadataDefaults;
import dev.stint.apiserver.strategy.NewObject;
import dev.stint.apiserver.strategy.PodPriority;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.podsecurity.PodSecuritySettings;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The admission of a cluster, in addition to the rules of each kind. */
final class ClusterAdmission {
  private final StoredObjects stored;
  private final boolean whole;
  private final LimitRangeAdmission limits;
  private final PodSecurityAdmission podSecurity;

  /**
   * @param whole true for a whole cluster, with namespaces that must exist; false for a lone Job,
   *     which runs whatever its namespace and its class are called
   * @param settings the settings of pod security
   */
  ClusterAdmission(StoredObjects stored, boolean whole, PodSecuritySettings settings) {
    this.stored = stored;
    this.whole = whole;
    this.limits = new LimitRangeAdmission(stored);
    this.podSecurity = new PodSecurityAdmission(stored, settings);
  }

  /**
   * Returns a new object with the additions of admission, before the object is validated. Throws
   * {@code NOT_FOUND} or {@code FORBIDDEN} if its namespace does not exist or is being deleted, or
   * if it is a pod that names a class that does not exist.
   */
  KubeObject admit(Kind kind, KubeObject wanted) throws ClusterException {
    if (!whole) {
      return wanted;
    }
    if (kind.namespaced()) {
      inNamespace(kind, wanted);
    }
    if (!kind.equals(Kind.POD)) {
      return wanted;
    }
    RuntimeClassAdmission.admit(wanted);
    return PodPriority.admit(limits.admit(wanted), this::priorityClass, this::priorityClasses);
  }

  private void inNamespace(Kind kind, KubeObject wanted) {
    String name = wanted.namespace().isEmpty() ? NewObject.DEFAULT_NAMESPACE : wanted.namespace();
    ObjectRef ref = new ObjectRef(Kind.NAMESPACE, "", name);
    ObjectNode namespace = stored.tree(ref);
    if (namespace == null && !name.equals(NewObject.DEFAULT_NAMESPACE)) {
      throw ApiErrors.notFound(ref);
    }
    if (namespace != null && MetadataDefaults.deleting(namespace)) {
      throw ApiErrors.terminatingNamespace(new ObjectRef(kind, name, wanted.name()));
    }
  }

  /**
   * Throws {@code FORBIDDEN} if admission rejects a new object, which has been validated.
   *
   * @param sent the object as it was sent
   * @param tree the object as it will be stored
   */
  void validate(ObjectRef ref, ObjectNode sent, ObjectNode tree, WriteOptions options)
      throws ClusterException {
    if (!whole) {
      return;
    }
    if (ref.kind().equals(Kind.POD)) {
      limits.validate(ref, tree);
    }
    podSecurity.check(ref, null, tree, options);
    if (ref.kind().equals(Kind.POD)) {
      RuntimeClassAdmission.validate(ref, sent);
    }
  }

  /** Throws {@code FORBIDDEN} if admission rejects a change, which has been validated. */
  void validate(Kind kind, ObjectNode before, ObjectNode after, WriteOptions options)
      throws ClusterException {
    if (whole) {
      KubeObject object = KubeObject.of(after);
      ObjectRef ref = new ObjectRef(kind, object.namespace(), object.name());
      podSecurity.check(ref, before, after, options);
    }
  }

  /** Throws {@code FORBIDDEN} for a second default class. */
  void refuseSecondDefault(ObjectRef ref, ObjectNode tree) throws ClusterException {
    if (ref.kind().equals(Kind.PRIORITY_CLASS)) {
      PodPriority.refuseSecondDefault(ref, tree, this::priorityClasses);
    }
  }

  private @Nullable ObjectNode priorityClass(String name) {
    return stored.tree(new ObjectRef(Kind.PRIORITY_CLASS, "", name));
  }

  private Stream<ObjectNode> priorityClasses() {
    return stored.trees(Kind.PRIORITY_CLASS);
  }
}
