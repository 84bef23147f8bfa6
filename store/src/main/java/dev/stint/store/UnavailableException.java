package dev.stint.store;

/**
 * The engine could not be read at the start, or could not write (disk full, for one). Whether a
 * write that fails so is kept is not known until the store is opened again.
 */
public final class UnavailableException extends StoreException {
  private static final long serialVersionUID = 1L;

  UnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
