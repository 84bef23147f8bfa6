package dev.stint.store;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A waiting write.
 *
 * @param ahead whether it is answered before it is durable
 * @param value the value to write; null for a mere deletion
 * @param deletes whether to delete the key, after writing the value if there is one
 * @param answer maps the event to the caller's result
 */
@SuppressWarnings("ArrayRecordComponent") // the caller's bytes, shared on purpose
record Write<T>(
    boolean ahead,
    String key,
    byte @Nullable [] value,
    boolean deletes,
    Expectation expectation,
    CompletableFuture<T> future,
    Function<StoreEvent, T> answer) {

  static Write<Entry> put(boolean ahead, String key, byte[] value, Expectation expectation) {
    return new Write<>(
        ahead,
        key,
        value,
        false,
        expectation,
        new CompletableFuture<>(),
        event -> Objects.requireNonNull(event.after()));
  }

  /**
   * Creates a deletion.
   *
   * @param last the last value, written first; null for none
   */
  static Write<Long> delete(
      boolean ahead, String key, byte @Nullable [] last, Expectation expectation) {
    return new Write<>(
        ahead, key, last, true, expectation, new CompletableFuture<>(), StoreEvent::revision);
  }

  /** Returns the events of this write, with the revisions that follow; empty if it is refused. */
  List<StoreEvent> decide(@Nullable Entry before, long revision) {
    if (!expectation.holds(before) || (deletes && before == null)) {
      return List.of();
    }
    if (value == null) {
      return List.of(new StoreEvent(revision, before, null));
    }
    long created = before == null ? revision : before.createRevision();
    Entry after = new Entry(key, value, created, revision);
    StoreEvent written = new StoreEvent(revision, before, after);
    return deletes ? List.of(written, new StoreEvent(revision + 1, after, null)) : List.of(written);
  }

  void done(StoreEvent event) {
    future.complete(answer.apply(event));
  }

  void refused(StoreException why) {
    future.completeExceptionally(why);
  }
}
