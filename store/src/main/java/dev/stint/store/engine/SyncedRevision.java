package dev.stint.store.engine;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers in a file of its own which revision of a database was synced. RocksDB takes a damaged
 * record, or a missing log, for the end of all writes. So a database that ends before this revision
 * has lost writes, and is not to be worked on.
 *
 * <p>The file is written after each sync and is not synced itself, so it is never ahead of the
 * database, and may be behind it after a loss of power. It is 16 bytes long: the revision and its
 * complement, so that a torn write does not count.
 */
final class SyncedRevision implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SyncedRevision.class);

  /** No name that RocksDB gives to a file of its own. */
  static final String FILE = "SYNCED-REVISION";

  private final Path path;
  private final ByteBuffer record = ByteBuffer.allocate(2 * Long.BYTES);
  private final RandomAccessFile file;
  private boolean broken;

  /**
   * Opens the file, and makes it if it is missing.
   *
   * @param directory the directory of the database
   */
  SyncedRevision(Path directory) throws IOException {
    this.path = directory.resolve(FILE);
    this.file = new RandomAccessFile(path.toFile(), "rw");
  }

  /**
   * Checks what was read back.
   *
   * @param revision the newest revision of the database
   * @throws IOException it ends before a revision that was synced; one line that says what to do
   */
  void check(long revision) throws IOException {
    long known = read();
    if (revision < known) {
      throw new IOException(
          "revision %d was on disk, but %d is the last one there: a log in %s was damaged or deleted."
                  .formatted(known, revision, path.getParent())
              + " Restore a backup of the data directory; or, to go on without the lost writes,"
              + " delete "
              + path);
    }
  }

  private long read() throws IOException {
    record.clear();
    file.seek(0);
    int length = file.read(record.array());
    long known = record.getLong();
    return length == record.capacity() && record.getLong() == ~known ? known : 0;
  }

  /**
   * Records a revision that was synced. A failure is reported once: without the record, a loss is
   * not noticed, but nothing is lost.
   */
  void write(long revision) {
    if (broken) {
      return;
    }
    record.clear().putLong(revision).putLong(~revision);
    try {
      file.seek(0);
      file.write(record.array());
    } catch (IOException fault) {
      broken = true;
      LOG.warn("Cannot write {}; damage to the store may go unnoticed: {}", path, fault.toString());
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
