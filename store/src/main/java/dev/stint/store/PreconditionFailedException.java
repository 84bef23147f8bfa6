package dev.stint.store;

import org.jspecify.annotations.Nullable;

/** The key is not in the state that the writer expected; nothing was written. */
public final class PreconditionFailedException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final transient @Nullable Entry current;

  PreconditionFailedException(String key, Precondition precondition, @Nullable Entry current) {
    super(
        "expected " + key + " to be " + precondition.text() + ", but it is " + text(current),
        false);
    this.current = current;
  }

  /** Returns the current entry; null if the key is missing. */
  public @Nullable Entry current() {
    return current;
  }

  private static String text(@Nullable Entry current) {
    return current == null ? "missing" : "at revision " + current.revision();
  }
}
