package dev.stint.store.engine;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * A small file beside those of a database that holds one revision, and its complement, so that a
 * torn write does not count. It is written in place. Versions that do not know it leave it alone.
 */
final class RevisionFile implements AutoCloseable {
  private final Path path;
  private final RandomAccessFile file;
  private final ByteBuffer record = ByteBuffer.allocate(2 * Long.BYTES);

  /** Opens the file, and makes it if it is missing. */
  RevisionFile(Path path) throws IOException {
    this.path = path;
    this.file = new RandomAccessFile(path.toFile(), "rw");
  }

  Path path() {
    return path;
  }

  /** Returns the revision; 0 if there is none, or half of one. */
  long read() throws IOException {
    record.clear();
    file.seek(0);
    int length = file.read(record.array());
    long known = record.getLong();
    return length == record.capacity() && record.getLong() == ~known ? known : 0;
  }

  void write(long revision) throws IOException {
    record.clear().putLong(revision).putLong(~revision);
    file.seek(0);
    file.write(record.array());
  }

  /** Returns once the revision, and the file itself, survive a loss of power. */
  void sync() throws IOException {
    file.getFD().sync();
    try (FileChannel directory = FileChannel.open(path.toAbsolutePath().getParent())) {
      directory.force(true);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
