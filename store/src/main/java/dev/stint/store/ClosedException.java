package dev.stint.store;

/** The store is closed, or its loop no longer runs; nothing was written. */
public final class ClosedException extends StoreException {
  private static final long serialVersionUID = 1L;

  ClosedException() {
    super("the store is closed", false);
  }
}
