package dev.stint.apiserver.access;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The source of roles and bindings. Namespaces are named; "" stands for what lies in none. */
public interface RbacSource {
  /**
   * Returns a number that grows whenever a Role or RoleBinding of a namespace is written or
   * deleted; for "", a ClusterRole or ClusterRoleBinding. It may grow more often. Called with every
   * request: must be fast.
   */
  long revision(String namespace);

  /**
   * Returns the objects of one of those kinds in a namespace, in a fixed order, at least as new as
   * the revision last returned.
   */
  Stream<Stored> list(Kind kind, String namespace);

  /** Returns the namespaces that have such objects. */
  Set<String> namespaces();

  /**
   * A stored object, which is read only on demand.
   *
   * @param revision of its last write, which no other object has
   * @param object reads it
   */
  record Stored(long revision, Supplier<KubeObject> object) {}
}
