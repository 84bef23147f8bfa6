package dev.stint.apiserver.access;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;

/** The source of roles and bindings. */
public interface RbacSource {
  /**
   * Returns a number that changes whenever a Role, ClusterRole, RoleBinding or ClusterRoleBinding
   * is written or deleted. Called with every request: must be fast.
   */
  long revision();

  /**
   * Returns the objects of one of those kinds, of all namespaces, at least as new as the revision
   * last returned.
   */
  List<KubeObject> list(Kind kind);
}
