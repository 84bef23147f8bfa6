package dev.stint.store;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * What keeps a store's entries: the newest value of each key and the newest revision, no history.
 *
 * <p>Used by one thread at a time, but for {@link #sync()}, which another one may call meanwhile.
 * After a crash it holds a prefix of the batches appended, at least all up to the last {@link
 * #sync()}, and never part of one.
 */
public interface StorageEngine extends AutoCloseable {

  /**
   * Applies changes, all or none of them.
   *
   * @param batch in order of revision, not empty
   * @throws IOException they may or may not have been kept; the message is one clear line
   */
  void append(List<StoreEvent> batch) throws IOException;

  /**
   * Returns once all that had been appended when it was called survives a loss of power. Called by
   * one thread at a time.
   */
  void sync() throws IOException;

  /**
   * Gives every entry, in any order.
   *
   * @return the revision of the last change ever appended, 0 where there was none
   */
  long readBack(Consumer<Entry> consumer) throws IOException;

  /** Keeps what was appended, and frees what it holds. */
  @Override
  void close() throws IOException;
}
