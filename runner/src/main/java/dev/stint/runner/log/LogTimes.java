package dev.stint.runner.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * When the bytes of an attempt's log were written, as far as that is known.
 *
 * <p>A container writes to its files by itself, so nobody sees each line as it comes. Instead it is
 * written down, at every look that finds a file grown, up to where it was written and when it was
 * last written to. So the time of a line is that of the last write before the next look: never
 * earlier than the line, and later by no more than the time between looks. What comes after the
 * last look has the time of the file's last change.
 *
 * <p>The file has a line for each look that found growth: {@code o} or {@code e} for the stream,
 * the offset, nanoseconds since 1970. A line that does not end is not there.
 */
final class LogTimes {
  private final LogFiles files;
  private final Map<LogStream, Marks> marks = new EnumMap<>(LogStream.class);
  private long position;

  LogTimes(LogFiles files) {
    this.files = files;
    for (LogStream stream : LogStream.values()) {
      marks.put(stream, new Marks());
    }
  }

  /** Up to where a stream was looked at. */
  long offset(LogStream stream) {
    return of(stream).offset();
  }

  /** How many looks were written down. */
  int count() {
    return marks.values().stream().mapToInt(each -> each.count).sum();
  }

  /** The time of the byte before {@code end}. */
  Instant at(LogStream stream, long end) throws IOException {
    return of(stream).at(end).orElse(changed(stream));
  }

  /** Up to where all was surely written before a time. */
  long before(LogStream stream, Instant time) {
    return of(stream).before(nanos(time));
  }

  /** Reads what was written down since the last time. */
  void refresh() throws IOException {
    byte[] added = added();
    int start = 0;
    for (int i = 0; i < added.length; i++) {
      if (added[i] == '\n') {
        read(new String(added, start, i - start, StandardCharsets.US_ASCII));
        start = i + 1;
      }
    }
    position += start;
  }

  private byte[] added() throws IOException {
    try (FileChannel channel = FileChannel.open(files.times(), StandardOpenOption.READ)) {
      ByteBuffer buffer =
          ByteBuffer.allocate(Math.toIntExact(Math.max(0, channel.size() - position)));
      while (buffer.hasRemaining() && channel.read(buffer, position + buffer.position()) >= 0) {
        // Until it is full, or the file at its end.
      }
      return Arrays.copyOf(buffer.array(), buffer.position());
    } catch (NoSuchFileException none) {
      return new byte[0];
    }
  }

  private void read(String line) {
    String[] parts = line.split(" ", 3);
    for (LogStream stream : LogStream.values()) {
      if (parts.length == 3 && parts[0].equals(String.valueOf(stream.letter()))) {
        of(stream).add(Long.parseLong(parts[1]), Long.parseLong(parts[2]));
      }
    }
  }

  /** Looks whether the files have grown, and writes that down. */
  void look() throws IOException {
    StringBuilder grown = new StringBuilder();
    for (LogStream stream : LogStream.values()) {
      Path path = files.path(stream);
      if (path.toFile().length() > offset(stream)) {
        BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        long time = nanos(now.lastModifiedTime().toInstant());
        grown.append(stream.letter()).append(' ').append(now.size()).append(' ');
        grown.append(of(stream).add(now.size(), time)).append('\n');
      }
    }
    if (!grown.isEmpty()) {
      Files.writeString(files.times(), grown, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  private Instant changed(LogStream stream) throws IOException {
    try {
      return Files.getLastModifiedTime(files.path(stream)).toInstant();
    } catch (NoSuchFileException none) {
      return Instant.EPOCH;
    }
  }

  private Marks of(LogStream stream) {
    return java.util.Objects.requireNonNull(marks.get(stream));
  }

  private static long nanos(Instant time) {
    return ChronoUnit.NANOS.between(Instant.EPOCH, time);
  }

  /** The looks at one stream, both offsets and times ascending. */
  private static final class Marks {
    private long[] offsets = new long[16];
    private long[] times = new long[16];
    private int count;

    /** Adds one, and tells its time, which a clock that was set back does not take back. */
    long add(long offset, long time) {
      if (count == offsets.length) {
        offsets = Arrays.copyOf(offsets, count * 2);
        times = Arrays.copyOf(times, count * 2);
      }
      offsets[count] = offset;
      times[count] = count == 0 ? time : Math.max(time, times[count - 1]);
      return times[count++];
    }

    long offset() {
      return count == 0 ? 0 : offsets[count - 1];
    }

    Optional<Instant> at(long end) {
      int found = Arrays.binarySearch(offsets, 0, count, end);
      int index = found < 0 ? -found - 1 : found;
      return index == count ? Optional.empty() : Optional.of(Instant.EPOCH.plusNanos(times[index]));
    }

    long before(long time) {
      int index = Arrays.binarySearch(times, 0, count, time);
      int first = index < 0 ? -index - 1 : index;
      while (first > 0 && times[first - 1] >= time) {
        first--;
      }
      return first == 0 ? 0 : offsets[first - 1];
    }
  }
}
