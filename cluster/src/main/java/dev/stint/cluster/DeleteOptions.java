package dev.stint.cluster;

import org.jspecify.annotations.Nullable;

/**
 * The options of a deletion.
 *
 * @param uid delete only the object with this uid; null for any object of that name
 * @param resourceVersion delete only the object in this state; null for any
 * @param gracePeriodSeconds 0 for immediate deletion; null for the object's own
 * @param propagation the fate of the objects that it owns; null for that of a deletion in progress,
 *     or else the default of the kind
 */
public record DeleteOptions(
    @Nullable String uid,
    @Nullable String resourceVersion,
    @Nullable Long gracePeriodSeconds,
    @Nullable Propagation propagation) {
  /** Options of a deletion in whatever state. */
  public DeleteOptions(
      @Nullable String uid, @Nullable Long gracePeriodSeconds, @Nullable Propagation propagation) {
    this(uid, null, gracePeriodSeconds, propagation);
  }

  /** The fate of owned objects. */
  public enum Propagation {
    BACKGROUND,
    FOREGROUND,
    ORPHAN
  }

  /** Deletes exactly this object, with its own grace period. */
  public static DeleteOptions only(String uid) {
    return new DeleteOptions(uid, null, Propagation.BACKGROUND);
  }

  /** Deletes exactly this object, at once. */
  public static DeleteOptions now(String uid) {
    return new DeleteOptions(uid, 0L, Propagation.BACKGROUND);
  }
}
