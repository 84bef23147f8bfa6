package dev.stint.model;

import org.jspecify.annotations.Nullable;

/**
 * The address of one object.
 *
 * @param namespace "" for a kind that is not namespaced
 */
public record ObjectRef(Kind kind, String namespace, String name) {
  /** Compares fast, for the same reason as {@link #hashCode}. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ObjectRef that
        && name.equals(that.name)
        && namespace.equals(that.namespace)
        && kind.equals(that.kind);
  }

  /** Returns a fast hash code: a record's own takes milliseconds at its first call. */
  @Override
  public int hashCode() {
    return 31 * (31 * kind.hashCode() + namespace.hashCode()) + name.hashCode();
  }

  /** Returns the form for messages: {@code jobs "default/pi"}. */
  @Override
  public String toString() {
    return kind.plural() + " \"" + (namespace.isEmpty() ? name : namespace + "/" + name) + "\"";
  }
}
