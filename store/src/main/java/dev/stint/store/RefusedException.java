package dev.stint.store;

/**
 * A write was refused by what decides about {@link AccompanyingWrites}; nothing was written. That
 * may have a reason of its own, as a subclass.
 */
public non-sealed class RefusedException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception without a stack trace, since refusals are an everyday matter. */
  public RefusedException(String message) {
    super(message, false);
  }

  RefusedException(RuntimeException fault) {
    super("could not decide what accompanies a write: " + fault, fault);
  }
}
