package dev.stint.apiserver.access;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;

/** Where roles and bindings come from. */
public interface RbacSource {
  /**
   * A number that is another once a Role, ClusterRole, RoleBinding or ClusterRoleBinding was
   * written or deleted. Asked with every request: must be quick.
   */
  long revision();

  /**
   * The objects of one of those kinds, of all namespaces, at least as new as the revision last
   * returned.
   */
  List<KubeObject> list(Kind kind);
}
