package dev.stint.store;

/** A data directory cannot be used; the message is one line that says why and what to do. */
public final class DataDirectoryException extends Exception {
  private static final long serialVersionUID = 1L;

  DataDirectoryException(String message) {
    super(message);
  }

  DataDirectoryException(String message, Throwable cause) {
    super(message, cause);
  }
}
