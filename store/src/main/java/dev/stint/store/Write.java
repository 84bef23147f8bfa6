package dev.stint.store;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A write that waits for its turn.
 *
 * @param ahead whether it is answered before it is durable
 * @param value null for a deletion
 * @param answer what the caller gets of the event
 */
@SuppressWarnings("ArrayRecordComponent") // the caller's bytes, shared on purpose
record Write<T>(
    boolean ahead,
    String key,
    byte @Nullable [] value,
    Expectation expectation,
    CompletableFuture<T> future,
    Function<StoreEvent, T> answer) {

  static Write<Entry> put(boolean ahead, String key, byte[] value, Expectation expectation) {
    return new Write<>(
        ahead,
        key,
        value,
        expectation,
        new CompletableFuture<>(),
        event -> Objects.requireNonNull(event.after()));
  }

  static Write<Long> delete(boolean ahead, String key, Expectation expectation) {
    return new Write<>(
        ahead, key, null, expectation, new CompletableFuture<>(), StoreEvent::revision);
  }

  /** The event that this write is, as the next one after a revision; null if it is refused. */
  @Nullable StoreEvent decide(@Nullable Entry before, long revision) {
    if (!expectation.holds(before) || (value == null && before == null)) {
      return null;
    }
    if (value == null) {
      return new StoreEvent(revision, before, null);
    }
    long created = before == null ? revision : before.createRevision();
    return new StoreEvent(revision, before, new Entry(key, value, created, revision));
  }

  void done(StoreEvent event) {
    future.complete(answer.apply(event));
  }

  void refused(StoreException why) {
    future.completeExceptionally(why);
  }
}
