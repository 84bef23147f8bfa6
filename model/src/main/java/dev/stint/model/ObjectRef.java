package dev.stint.model;

/**
 * The address of one object.
 *
 * @param namespace "" for a kind that is not namespaced
 */
public record ObjectRef(Kind kind, String namespace, String name) {
  /** Returns the form for messages: {@code jobs "default/pi"}. */
  @Override
  public String toString() {
    return kind.plural() + " \"" + (namespace.isEmpty() ? name : namespace + "/" + name) + "\"";
  }
}
