package dev.stint.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A store as somebody sees it: what is read, and when a write is answered and a watch told.
 *
 * <p>Values are shared, never copied: nobody may change one that went in or came out. Keys are not
 * empty and don't start with {@code '\0'} (the engine's own).
 */
public interface StoreView {

  /**
   * Writes a value.
   *
   * @return the new entry; fails with a {@link StoreException}
   */
  CompletableFuture<Entry> put(String key, byte[] value, Expectation expectation);

  /**
   * Deletes a key. Deleting a missing key is refused ({@link PreconditionFailedException} without a
   * current entry), whatever is expected.
   *
   * @return the revision of the deletion; fails with a {@link StoreException}
   */
  CompletableFuture<Long> delete(String key, Expectation expectation);

  /**
   * Writes a key's last value and deletes the key, both or neither. Watches see two events.
   *
   * @return the revision of the deletion; fails with a {@link StoreException}
   */
  CompletableFuture<Long> delete(String key, byte[] last, Expectation expectation);

  /** The newest entry of a key, null if missing. Any thread, never waits. */
  @Nullable Entry get(String key);

  /**
   * All entries under a prefix, as of one revision. Any thread, never waits. Nothing is copied:
   * what it costs is what is read of it.
   */
  Snapshot list(String prefix);

  /**
   * All entries under a prefix, as they were at an earlier revision: today's, with what happened
   * since undone. Costs the events since then, unless the same revision was the last to be asked
   * for.
   *
   * @param revision not newer than {@link #revision()}
   * @throws CompactedException events after that revision are no longer held
   */
  Snapshot list(String prefix, long revision) throws CompactedException;

  /** The newest revision, at least 1. Any thread, never waits. */
  long revision();

  /**
   * Watches keys with a prefix: all events after a revision, in order, without gaps, in batches.
   * Once the store is closed it just ends.
   *
   * @param afterRevision of the list (or event) that the watch goes on from; where it is newer than
   *     {@link #revision()}, events up to it are left out
   * @param executor where the listener is called. It must not run tasks in the calling thread, as
   *     that is the store's own.
   * @throws CompactedException events after that revision are no longer held
   */
  Subscription watch(String prefix, long afterRevision, Executor executor, Store.Listener listener)
      throws CompactedException;
}
