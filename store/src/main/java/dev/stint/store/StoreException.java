package dev.stint.store;

/** What the store answers when it does not do as asked. The message is one clear line. */
public abstract sealed class StoreException extends Exception
    permits PreconditionFailedException, CompactedException, UnavailableException, ClosedException {
  private static final long serialVersionUID = 1L;

  StoreException(String message) {
    super(message);
  }

  StoreException(String message, Throwable cause) {
    super(message, cause);
  }

  /** For answers that are part of everyday work: no stack trace, as nobody reads it. */
  StoreException(String message, boolean withStackTrace) {
    super(message, null, false, withStackTrace);
  }
}
