package dev.stint.apiserver;

import dev.stint.apiserver.access.RbacSource;
import dev.stint.model.Kind;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads roles and bindings from the store. */
final class StoredRules implements RbacSource {
  private final Registry registry;

  StoredRules(Registry registry) {
    this.registry = registry;
  }

  @Override
  public long revision(String namespace) {
    return registry.changes().access(namespace);
  }

  @Override
  public Stream<Stored> list(Kind kind, String namespace) {
    StoredObjects stored = registry.stored();
    return stored.snapshot(kind, kind.namespaced() ? namespace : null).entries().stream()
        .map(entry -> new Stored(entry.revision(), () -> stored.shared().peek(entry)));
  }

  @Override
  public Set<String> namespaces() {
    return Stream.of(Kind.ROLE, Kind.ROLE_BINDING)
        .flatMap(this::namespaces)
        .collect(Collectors.toSet());
  }

  private Stream<String> namespaces(Kind kind) {
    return registry.stored().snapshot(kind, null).entries().stream()
        .map(entry -> StorageKeys.namespace(kind, entry.key()));
  }
}
