package dev.stint.store;

/** Events after the revision asked for are no longer all there: list again, watch from there. */
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

  /** The oldest revision from which a watch would have been served. */
  public long oldest() {
    return oldest;
  }
}
