package dev.stint.runner.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of one growing file. Its oldest part may be given up meanwhile, which then reads
 * as zeros; what was to be read of it is left out.
 */
final class LogCursor implements Closeable {
  /** A line that is longer is given in pieces. */
  static final int LONGEST_LINE = 1 << 20;

  private static final int BLOCK = 64 << 10;

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
   * @param bytes with the line feed, where there is one
   * @param end the offset after it
   * @param starts whether a line starts with it
   */
  @SuppressWarnings("ArrayRecordComponent") // on its way out, never compared
  record Line(byte[] bytes, long end, boolean starts) {}

  /** Knows what is kept. */
  @FunctionalInterface
  interface Kept {
    /** Where what is kept of the file starts, as of now. */
    long start() throws IOException;
  }

  LogCursor(LogFiles files, LogStream stream, Kept kept) {
    this.files = files;
    this.stream = stream;
    this.kept = kept;
  }

  /** Up to where it was read. */
  long position() {
    return position;
  }

  /** Goes on from an offset. */
  void seek(long offset) {
    position = offset;
    buffer.limit(0).position(0);
    scanned = 0;
    within = false;
  }

  /**
   * The next line that ends at {@code limit} at the latest; null where there is none (yet).
   *
   * @param over whether a line that the limit cuts counts too
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

  /** The length of the line in the buffer; 0 where it does not end there. */
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

  /** Reads on; false where there is no more. */
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
    if (read > 0 && hasZero(known)) {
      skipGivenUp();
    }
    return read > 0;
  }

  private boolean hasZero(int from) {
    for (int i = from; i < buffer.limit(); i++) {
      if (buffer.get(i) == 0) {
        return true;
      }
    }
    return false;
  }

  /** Zeros may be printed ones, or where something else was when it was still kept. */
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

  /** Where the last lines start. */
  record Tail(long offset, long lines) {}

  /**
   * Finds where the last lines before an offset start, reading backwards. A last line that does not
   * end counts.
   *
   * @param start where what is kept starts
   */
  Tail tail(long start, long end, long lines) throws IOException {
    FileChannel file = channel();
    if (file == null || end <= start || lines == 0) {
      return new Tail(end, 0);
    }
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    long found = 0;
    for (long to = end; to > start; to -= BLOCK) {
      long from = Math.max(start, to - BLOCK);
      block.clear().limit((int) (to - from));
      while (block.hasRemaining() && file.read(block, from + block.position()) > 0) {
        // Until it is full.
      }
      for (int i = block.position() - 1; i >= 0; i--) {
        if (block.get(i) == '\n' && from + i + 1 < end && ++found == lines) {
          return new Tail(from + i + 1, lines);
        }
      }
    }
    return new Tail(start, found + 1);
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
