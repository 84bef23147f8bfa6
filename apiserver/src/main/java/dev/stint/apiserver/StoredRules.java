package dev.stint.apiserver;

import dev.stint.apiserver.access.RbacSource;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;

/** Reads roles and bindings from the store. */
final class StoredRules implements RbacSource {
  private final Registry registry;

  StoredRules(Registry registry) {
    this.registry = registry;
  }

  @Override
  public long revision() {
    return registry.changes().access();
  }

  @Override
  public List<KubeObject> list(Kind kind) {
    return registry.list(kind, null).join().items();
  }
}
