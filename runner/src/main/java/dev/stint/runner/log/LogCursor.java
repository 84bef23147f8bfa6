package dev.stint.runner.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of one growing file. Its oldest part may be freed meanwhile and then reads as
 * zeros; that part is skipped.
 */
final class LogCursor implements Closeable {
  /** Longer lines are returned in pieces. */
  static final int LONGEST_LINE = 32 << 10;

  private static final int BLOCK = 16 << 10;

  private final LogFiles files;
  private final LogStream stream;
  private final Kept kept;
  private @Nullable FileChannel channel;
  private ByteBuffer buffer = ByteBuffer.allocate(BLOCK).limit(0);
  private int scanned;
  private long position;
  private boolean within;

  /**
   * A line, or a piece of a long one.
   *
   * @param bytes with the line feed, if there is one
   * @param end the offset after it
   * @param starts true if it starts a line
   */
  @SuppressWarnings("ArrayRecordComponent") // on its way out, never compared
  record Line(byte[] bytes, long end, boolean starts) {}

  /** Knows which part of the file is kept. */
  @FunctionalInterface
  interface Kept {
    /** Returns the current start of the kept part of the file. */
    long start() throws IOException;
  }

  LogCursor(LogFiles files, LogStream stream, Kept kept) {
    this.files = files;
    this.stream = stream;
    this.kept = kept;
  }

  /** Returns the current read position. */
  long position() {
    return position;
  }

  /** Continues at an offset. */
  void seek(long offset) {
    position = offset;
    buffer.limit(0).position(0);
    scanned = 0;
    within = false;
  }

  /**
   * Returns the next line that ends at {@code limit} at the latest; null if there is none (yet).
   *
   * @param over true to return a line that the limit cuts, too
   */
  @Nullable Line next(long limit, boolean over) throws IOException {
    while (true) {
      int length = lineLength();
      if (length > 0 && position + length <= limit) {
        return take(length);
      }
      if (position + buffer.remaining() >= limit || !fill()) {
        int rest = (int) Math.min(buffer.remaining(), limit - position);
        return over && rest > 0 ? take(rest) : null;
      }
    }
  }

  /** Returns the length of the line in the buffer; 0 if it does not end there. */
  private int lineLength() {
    for (; scanned < buffer.remaining(); scanned++) {
      if (buffer.get(buffer.position() + scanned) == '\n') {
        return scanned + 1;
      }
    }
    return scanned >= LONGEST_LINE ? LONGEST_LINE : 0;
  }

  private Line take(int length) {
    byte[] bytes = new byte[length];
    buffer.get(bytes);
    position += length;
    scanned = 0;
    boolean starts = !within;
    within = bytes[length - 1] != '\n';
    return new Line(bytes, position, starts);
  }

  /** Reads more bytes; false if there are none. */
  private boolean fill() throws IOException {
    FileChannel file = channel();
    if (file == null) {
      return false;
    }
    buffer.compact();
    if (!buffer.hasRemaining()) {
      buffer.flip();
      buffer = ByteBuffer.allocate(buffer.capacity() * 2).put(buffer);
    }
    int known = buffer.position();
    int read = file.read(buffer, position + known);
    buffer.flip();
    if (read > 0 && hasZero(buffer, known, buffer.limit())) {
      skipGivenUp();
    }
    return read > 0;
  }

  private static boolean hasZero(ByteBuffer bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes.get(i) == 0) {
        return true;
      }
    }
    return false;
  }

  /** Skips the freed part. Zeros may be printed ones, or the place of a part that was freed. */
  private void skipGivenUp() throws IOException {
    long start = kept.start();
    if (start > position) {
      seek(start);
    }
  }

  private @Nullable FileChannel channel() throws IOException {
    if (channel == null) {
      channel = files.open(stream);
    }
    return channel;
  }

  /** The start and the number of the last lines. */
  record Tail(long offset, long lines) {}

  /**
   * Finds the start of the last lines before an offset, reading backwards. A last line without an
   * end counts. Ends early if the file was emptied meanwhile, or its part to read next was freed.
   *
   * @param start the start of the kept part
   */
  Tail tail(long start, long end, long lines) throws IOException {
    FileChannel file = channel();
    if (file == null || end <= start || lines == 0) {
      return new Tail(end, 0);
    }
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    long first = start;
    long found = 0;
    for (long to = end; to > first; to -= BLOCK) {
      long from = Math.max(first, to - BLOCK);
      read(file, from, block.clear().limit((int) (to - from)));
      if (block.position() == 0) {
        break;
      }
      if (hasZero(block, 0, block.position())) {
        first = Math.max(first, kept.start());
      }
      for (int i = block.position() - 1; i >= 0 && from + i >= first; i--) {
        if (block.get(i) == '\n' && from + i + 1 < end && ++found == lines) {
          return new Tail(from + i + 1, lines);
        }
      }
    }
    return new Tail(first, found + 1);
  }

  private static void read(FileChannel file, long from, ByteBuffer block) throws IOException {
    while (block.hasRemaining() && file.read(block, from + block.position()) > 0) {
      // Until it is full, or the file at its end.
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
