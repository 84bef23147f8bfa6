package dev.stint.apiserver;

import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import org.jspecify.annotations.Nullable;

/** The keys of objects in the store: {@code /registry/batch/jobs/default/pi}. */
final class StorageKeys {
  private StorageKeys() {}

  static String of(ObjectRef ref) {
    return prefix(ref.kind(), ref.namespace().isEmpty() ? null : ref.namespace()) + ref.name();
  }

  /** Returns the key prefix of a kind's objects, in one namespace or (null) in all. */
  static String prefix(Kind kind, @Nullable String namespace) {
    String all =
        "/registry/" + (kind.group().isEmpty() ? "" : kind.group() + "/") + kind.plural() + "/";
    return namespace == null ? all : all + namespace + "/";
  }
}
