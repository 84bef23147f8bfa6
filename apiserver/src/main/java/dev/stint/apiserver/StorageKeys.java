package dev.stint.apiserver;

import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import org.jspecify.annotations.Nullable;

/** The keys of objects in the store: {@code /registry/batch/jobs/default/pi}. */
final class StorageKeys {
  private StorageKeys() {}

  static String of(ObjectRef ref) {
    String slash = ref.namespace().isEmpty() ? "" : "/";
    return all(ref.kind()) + ref.namespace() + slash + ref.name();
  }

  /** Returns the key prefix of a kind's objects, in one namespace or (null) in all. */
  static String prefix(Kind kind, @Nullable String namespace) {
    return namespace == null ? all(kind) : all(kind) + namespace + "/";
  }

  /** Returns the namespace in the key of an object, whose kind has namespaces. */
  static String namespace(Kind kind, String key) {
    int start = all(kind).length();
    return key.substring(start, key.indexOf('/', start));
  }

  private static String all(Kind kind) {
    return kind.group().isEmpty()
        ? "/registry/" + kind.plural() + "/"
        : "/registry/" + kind.group() + "/" + kind.plural() + "/";
  }
}
