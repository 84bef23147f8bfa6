package dev.stint.store;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One durable change.
 *
 * @param revision the revision of the change
 * @param before the entry before it; null if the key was created
 * @param after the entry after it; null if the key was deleted
 */
public record StoreEvent(long revision, @Nullable Entry before, @Nullable Entry after) {

  /** Returns the changed key. */
  public String key() {
    return Objects.requireNonNull(after != null ? after : before).key();
  }
}
