package dev.stint.bench.history;

import org.jspecify.annotations.Nullable;

/**
 * An event of a watch.
 *
 * @param at the time when it was received
 * @param version null for a bookmark
 */
public record Delivery(long at, Type type, long revision, @Nullable Version version) {

  /** The type of an event. */
  public enum Type {
    ADDED,
    MODIFIED,
    DELETED,
    BOOKMARK
  }
}
