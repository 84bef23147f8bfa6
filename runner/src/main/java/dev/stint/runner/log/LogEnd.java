package dev.stint.runner.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The last lines of an attempt's log, in the order in which a {@link LogReader} shows them. At most
 * a given number of bytes of each stream is read, since a container can make its files as long as
 * the file system allows, and print lines without an end.
 */
final class LogEnd {
  private final LogFiles files;
  private final LogTimes times;
  private final int mostLines;
  private final int mostBytes;

  /** A line, the first one maybe without its beginning, and the time of its end. */
  @SuppressWarnings("ArrayRecordComponent") // on its way out, never compared
  private record Dated(byte[] line, Instant time) {}

  private LogEnd(LogFiles files, int mostLines, int mostBytes) {
    this.files = files;
    this.times = new LogTimes(files);
    this.mostLines = mostLines;
    this.mostBytes = mostBytes;
  }

  /** Returns so many of the last lines, and of these so many of the last bytes; or fewer. */
  static byte[] read(LogFiles files, int mostLines, int mostBytes) throws IOException {
    return new LogEnd(files, mostLines, mostBytes).read();
  }

  private byte[] read() throws IOException {
    times.refresh();
    Deque<Dated> out = lines(LogStream.STDOUT);
    Deque<Dated> err = lines(LogStream.STDERR);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (int skip = out.size() + err.size() - mostLines; !out.isEmpty() || !err.isEmpty(); skip--) {
      byte[] line = (isNext(out, err) ? out : err).removeFirst().line();
      if (skip <= 0) {
        text.writeBytes(line);
      }
    }
    byte[] all = text.toByteArray();
    return Arrays.copyOfRange(all, Math.max(0, all.length - mostBytes), all.length);
  }

  private static boolean isNext(Deque<Dated> out, Deque<Dated> err) {
    return err.isEmpty()
        || (!out.isEmpty() && !err.getFirst().time().isBefore(out.getFirst().time()));
  }

  private Deque<Dated> lines(LogStream stream) throws IOException {
    long size = files.size(stream);
    long start = Math.max(times.start(stream), size - mostBytes);
    byte[] bytes = bytes(stream, start, (int) Math.max(0, size - start));
    Deque<Dated> lines = new ArrayDeque<>();
    for (int end = bytes.length; end > 0 && lines.size() < mostLines; ) {
      int from = lineStart(bytes, end);
      lines.addFirst(
          new Dated(Arrays.copyOfRange(bytes, from, end), times.at(stream, start + end)));
      end = from;
    }
    return lines;
  }

  private static int lineStart(byte[] bytes, int end) {
    int start = end - 1;
    while (start > 0 && bytes[start - 1] != '\n') {
      start--;
    }
    return start;
  }

  private byte[] bytes(LogStream stream, long start, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    try (FileChannel channel = files.open(stream)) {
      while (channel != null
          && buffer.hasRemaining()
          && channel.read(buffer, start + buffer.position()) > 0) {
        // Until it is full, or the file at its end.
      }
    }
    return Arrays.copyOf(buffer.array(), buffer.position());
  }
}
