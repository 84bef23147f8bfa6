package dev.stint.apiserver;

import dev.stint.apiserver.access.RbacSource;
import dev.stint.model.Kind;
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
  public List<Stored> list(Kind kind) {
    StoredObjects stored = registry.stored();
    return stored.snapshot(kind, null).entries().stream()
        .map(entry -> new Stored(entry.revision(), () -> stored.shared().peek(entry)))
        .toList();
  }
}
