package dev.stint.store;

/** The failure of a store operation. The message is one clear line. */
public abstract sealed class StoreException extends Exception
    permits PreconditionFailedException,
        RefusedException,
        CompactedException,
        UnavailableException,
        ClosedException {
  private static final long serialVersionUID = 1L;

  StoreException(String message) {
    super(message);
  }

  StoreException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Creates an exception without a stack trace for everyday refusals, whose traces nobody reads.
   */
  StoreException(String message, boolean withStackTrace) {
    super(message, null, false, withStackTrace);
  }
}
