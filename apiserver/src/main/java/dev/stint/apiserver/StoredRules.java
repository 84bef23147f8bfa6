package dev.stint.apiserver;

import dev.stint.apiserver.access.RbacSource;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;

/** Roles and bindings, as they are stored. */
final class StoredRules implements RbacSource {
  private final Registry registry;

  StoredRules(Registry registry) {
    this.registry = registry;
  }

  @Override
  public long revision() {
    return registry.accessChanges();
  }

  @Override
  public List<KubeObject> list(Kind kind) {
    return registry.list(kind, null).join().items();
  }
}
