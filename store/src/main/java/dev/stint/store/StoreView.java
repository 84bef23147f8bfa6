package dev.stint.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A view of a store: determines what is read, and when writes are answered and watches notified.
 *
 * <p>Values are shared, never copied: callers must not change a value after writing or reading it.
 * Keys are not empty and do not start with {@code '\0'} (the engine's own).
 */
public interface StoreView {

  /**
   * Writes a value.
   *
   * @return the new entry; fails with a {@link StoreException}
   */
  default CompletableFuture<Entry> put(String key, byte[] value, Precondition precondition) {
    return put(key, value, precondition, AccompanyingWrites.NONE);
  }

  /**
   * Writes a value and what accompanies it, all or nothing. Watches see the accompanying writes
   * first.
   *
   * @return the new entry; fails with a {@link StoreException}
   */
  CompletableFuture<Entry> put(
      String key, byte[] value, Precondition precondition, AccompanyingWrites along);

  /**
   * Deletes a key. Deleting a missing key fails ({@link PreconditionFailedException} without a
   * current entry), whatever the precondition.
   *
   * @return the revision of the deletion; fails with a {@link StoreException}
   */
  default CompletableFuture<Long> delete(String key, Precondition precondition) {
    return delete(key, null, precondition, AccompanyingWrites.NONE);
  }

  /**
   * Writes a key's last value and deletes the key, both or neither. Watches see two events.
   *
   * @return the revision of the deletion; fails with a {@link StoreException}
   */
  default CompletableFuture<Long> delete(String key, byte[] last, Precondition precondition) {
    return delete(key, last, precondition, AccompanyingWrites.NONE);
  }

  /**
   * Writes a key's last value, deletes the key, and writes what accompanies this, all or nothing.
   * Watches see the accompanying writes first, then two events.
   *
   * @param last null to delete only, which is one event
   * @return the revision of the deletion; fails with a {@link StoreException}
   */
  CompletableFuture<Long> delete(
      String key, byte @Nullable [] last, Precondition precondition, AccompanyingWrites along);

  /** Returns the newest entry of a key, null if missing. Any thread; never waits. */
  @Nullable Entry get(String key);

  /** Returns all entries at this moment. Any thread; never waits, and copies nothing. */
  Entries entries();

  /**
   * Returns all entries under a prefix, at one revision. Any thread; never waits. Nothing is
   * copied: the cost is that of the entries read.
   */
  Snapshot list(String prefix);

  /**
   * Returns all entries under a prefix at an earlier revision: the current ones, with the events
   * since then undone. The cost is that of these events, unless the last call was for the same
   * revision.
   *
   * @param revision not newer than {@link #revision()}
   * @throws CompactedException the log has dropped events after that revision
   */
  Snapshot list(String prefix, long revision) throws CompactedException;

  /** Returns the newest revision, at least 1. Any thread; never waits. */
  long revision();

  /**
   * Watches keys with a prefix: all events after a revision, in order, without gaps, in batches.
   * Closing the store ends the watch without a call.
   *
   * @param afterRevision the revision of the list (or event) after which the watch starts; if it is
   *     newer than {@link #revision()}, events up to it are skipped
   * @param executor runs the listener. It must not run tasks in the calling thread, as that is the
   *     store's own.
   * @throws CompactedException the log has dropped events after that revision
   */
  Subscription watch(String prefix, long afterRevision, Executor executor, Store.Listener listener)
      throws CompactedException;

  /**
   * Runs a task once the log has dropped events after a revision. Until then, the log holds all
   * that was replaced or deleted since; from then on, whoever keeps the entries of that revision
   * may be the last one who does.
   *
   * @param executor runs the task, as that of a watch
   * @return ends this; it does nothing once the task was submitted
   */
  Runnable onForgotten(long revision, Executor executor, Runnable task);

  /** Returns the size limit of the log in bytes, see {@link StoreOptions#maxLogBytes}. */
  long logBytes();
}
