package dev.stint.store;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * The storage of a store's entries: the newest value of each key and the newest revision, without
 * history.
 *
 * <p>One thread at a time uses it, but another one may call {@link #sync()} meanwhile. After a
 * crash it holds a prefix of the appended batches, at least up to the last {@link #sync()}, and
 * never part of a batch.
 */
public interface StorageEngine extends AutoCloseable {

  /**
   * Applies changes, all or none of them.
   *
   * @param batch in order of revision, not empty
   * @throws IOException the changes may or may not be stored; the message is one clear line
   */
  void append(List<StoreEvent> batch) throws IOException;

  /**
   * Returns once everything that was appended before the call survives a loss of power. Called by
   * one thread at a time.
   */
  void sync() throws IOException;

  /**
   * Records durably that changes up to a revision may be appended and lost. Whoever saw a lost one
   * then never takes a later one for it.
   *
   * @param revision replaces the one that was reserved before
   */
  void reserve(long revision) throws IOException;

  /**
   * Reads every entry, in any order.
   *
   * @return the revision of the last change ever appended, or the reserved one if that is higher; 0
   *     if there was none
   */
  long readBack(Consumer<Entry> consumer) throws IOException;

  /** Keeps the appended batches, and frees all resources. */
  @Override
  void close() throws IOException;
}
