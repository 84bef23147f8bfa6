package dev.stint.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * @param along decides what else changes
 * @param answer maps the event to the caller's result
 */
@SuppressWarnings("ArrayRecordComponent") // the caller's bytes, shared on purpose
record Write<T>(
    boolean ahead,
    String key,
    byte @Nullable [] value,
    boolean deletes,
    Precondition precondition,
    AccompanyingWrites along,
    CompletableFuture<T> future,
    Function<StoreEvent, T> answer) {

  static Write<Entry> put(
      boolean ahead,
      String key,
      byte[] value,
      Precondition precondition,
      AccompanyingWrites along) {
    return new Write<>(
        ahead,
        key,
        value,
        false,
        precondition,
        along,
        new CompletableFuture<>(),
        event -> Objects.requireNonNull(event.after()));
  }

  /**
   * Creates a deletion.
   *
   * @param last the last value, written first; null for none
   */
  static Write<Long> delete(
      boolean ahead,
      String key,
      byte @Nullable [] last,
      Precondition precondition,
      AccompanyingWrites along) {
    return new Write<>(
        ahead,
        key,
        last,
        true,
        precondition,
        along,
        new CompletableFuture<>(),
        StoreEvent::revision);
  }

  /**
   * Returns the events of this write, with the revisions that follow; its own come last.
   *
   * @throws StoreException the write is refused
   */
  List<StoreEvent> decide(Batch.State state) throws StoreException {
    Entry before = state.entries().get(key);
    if (!precondition.holds(before) || (deletes && before == null)) {
      throw new PreconditionFailedException(key, precondition, before);
    }
    List<StoreEvent> events = new ArrayList<>(2);
    accompanying(state.entries())
        .forEach((other, changed) ->
            events.add(changed(state.entries().get(other), other, changed, next(state, events))));
    Entry current = before;
    if (value != null) {
      StoreEvent written = changed(before, key, value, next(state, events));
      events.add(written);
      current = written.after();
    }
    if (deletes) {
      events.add(new StoreEvent(next(state, events), current, null));
    }
    return events;
  }

  private Map<String, byte[]> accompanying(Entries entries) throws RefusedException {
    try {
      return along.decide(entries);
    } catch (RuntimeException fault) {
      throw new RefusedException(fault);
    }
  }

  private static long next(Batch.State state, List<StoreEvent> events) {
    return state.revision() + events.size() + 1;
  }

  private static StoreEvent changed(
      @Nullable Entry before, String key, byte[] value, long revision) {
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
