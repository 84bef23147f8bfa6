package dev.stint.cluster;

import org.jspecify.annotations.Nullable;

/**
 * How to delete.
 *
 * @param uid delete only the object with this uid; null for whichever has the name
 * @param gracePeriodSeconds 0 for at once; null for the object's own
 * @param propagation what becomes of the objects that it owns; null for what a deletion under way
 *     began with, or else what the kind does
 */
public record DeleteOptions(
    @Nullable String uid, @Nullable Long gracePeriodSeconds, @Nullable Propagation propagation) {
  /** What becomes of owned objects. */
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
