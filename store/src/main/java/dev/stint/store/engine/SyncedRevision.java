package dev.stint.store.engine;

import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers in a file of its own which revision of a database was synced. RocksDB takes a damaged
 * record, or a missing log, for the end of all writes. So a database that ends before this revision
 * has lost writes, and is not to be worked on.
 *
 * <p>The file is written after each sync and is not synced itself, so it is never ahead of the
 * database, and may be behind it after a loss of power.
 */
final class SyncedRevision implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SyncedRevision.class);

  /** No name that RocksDB gives to a file of its own. */
  static final String FILE = "SYNCED-REVISION";

  private final RevisionFile file;
  private boolean broken;

  /**
   * @param directory the directory of the database
   */
  SyncedRevision(Path directory) throws IOException {
    this.file = new RevisionFile(directory.resolve(FILE));
  }

  /**
   * Checks what was read back.
   *
   * @param revision the newest revision of the database
   * @throws IOException it ends before a revision that was synced; one line that says what to do
   */
  void check(long revision) throws IOException {
    long known = file.read();
    if (revision < known) {
      throw new IOException(
          "revision %d was on disk, but %d is the last one there: a log in %s was damaged or deleted."
                  .formatted(known, revision, file.path().getParent())
              + " Restore a backup of the data directory; or, to go on without the lost writes,"
              + " delete "
              + file.path());
    }
  }

  /**
   * Records a revision that was synced. A failure is reported once: without the record, a loss is
   * not noticed, but nothing is lost.
   */
  void write(long revision) {
    if (broken) {
      return;
    }
    try {
      file.write(revision);
    } catch (IOException fault) {
      broken = true;
      LOG.warn(
          "Cannot write {}; damage to the store may go unnoticed: {}",
          file.path(),
          fault.toString());
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
