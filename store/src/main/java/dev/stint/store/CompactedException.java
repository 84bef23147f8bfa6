package dev.stint.store;

/**
 * The log no longer holds all events after the requested revision: list again, watch from there.
 */
public final class CompactedException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final long oldest;

  CompactedException(long afterRevision, long oldest) {
    super(
        "events after revision "
            + afterRevision
            + " are no longer held; the oldest revision to watch from is "
            + oldest,
        false);
    this.oldest = oldest;
  }

  /** Returns the oldest revision from which a watch would have been served. */
  public long oldest() {
    return oldest;
  }
}
