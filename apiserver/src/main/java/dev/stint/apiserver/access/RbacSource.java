package dev.stint.apiserver.access;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.function.Supplier;

/** The source of roles and bindings. */
public interface RbacSource {
  /**
   * Returns a number that grows whenever a Role, ClusterRole, RoleBinding or ClusterRoleBinding is
   * written or deleted. Called with every request: must be fast.
   */
  long revision();

  /**
   * Returns the objects of one of those kinds, of all namespaces, at least as new as the revision
   * last returned.
   */
  List<Stored> list(Kind kind);

  /**
   * A stored object, which is read only on demand.
   *
   * @param revision of its last write, which no other object has
   * @param object reads it
   */
  record Stored(long revision, Supplier<KubeObject> object) {}
}
