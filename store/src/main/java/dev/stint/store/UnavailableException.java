package dev.stint.store;

/**
 * The engine could not be read at the start, or could not write (disk full, for one). A failed
 * write may or may not be stored; that is unknown until the store is opened again.
 */
public final class UnavailableException extends StoreException {
  private static final long serialVersionUID = 1L;

  UnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
