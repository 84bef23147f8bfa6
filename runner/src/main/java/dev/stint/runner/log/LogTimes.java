package dev.stint.runner.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
 * the offset, nanoseconds since 1970. A line that does not end is not there. Where the oldest part
 * of a log was given up, the file is written anew: what it begins with then is a line for each
 * stream, {@code O} or {@code E}, the offset from which on there is something to read, and when
 * that was done, which no other such file begins with.
 */
final class LogTimes {
  private static final int LONGEST_HEAD = 64;
  private static final Instant LAST = Instant.EPOCH.plusNanos(Long.MAX_VALUE);

  private final LogFiles files;
  private final Map<LogStream, Marks> marks = new EnumMap<>(LogStream.class);
  private String head = "";
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

  /** Where what is kept of a stream starts. */
  long start(LogStream stream) {
    return of(stream).start;
  }

  /** How many bytes of both streams were kept at the last look. */
  long kept() {
    long kept = 0;
    for (Marks each : marks.values()) {
      kept += each.offset() - each.start;
    }
    return kept;
  }

  /** How many looks were written down. */
  int count() {
    return marks.values().stream().mapToInt(each -> each.count).sum();
  }

  /** The time of the byte before {@code end}. */
  Instant at(LogStream stream, long end) throws IOException {
    return of(stream).at(end).orElse(changed(stream));
  }

  /** Up to where all was surely written before a time, as far as it is kept. */
  long before(LogStream stream, Instant time) {
    return Math.max(start(stream), of(stream).before(nanos(time)));
  }

  /** Reads what was written down since the last time. */
  void refresh() throws IOException {
    // Most attempts print nothing, or end before anybody looks.
    byte[] added = files.times().toFile().length() == 0 ? new byte[0] : added();
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
      startOverIfReplaced(channel);
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

  private void startOverIfReplaced(FileChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(LONGEST_HEAD);
    channel.read(buffer, 0);
    String text = new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII);
    String first = text.substring(0, text.indexOf('\n') + 1);
    if (!first.equals(head) && !head.isEmpty()) {
      marks.replaceAll((_, _) -> new Marks());
      position = 0;
    }
    head = first;
  }

  private void read(String line) {
    String[] parts = line.split(" ", 3);
    for (LogStream stream : LogStream.values()) {
      if (parts.length == 3 && parts[0].equals(String.valueOf(stream.letter()))) {
        of(stream).add(Long.parseLong(parts[1]), Long.parseLong(parts[2]));
      } else if (parts.length == 3 && parts[0].equals(stream.headLetter())) {
        of(stream).start = Long.parseLong(parts[1]);
      }
    }
  }

  /**
   * Writes down that a stream is kept from an offset on only.
   *
   * @param starts of the streams that this changes
   */
  void keep(Map<LogStream, Long> starts, Instant now) throws IOException {
    starts.forEach((stream, start) -> of(stream).keepFrom(start));
    rewrite(now);
  }

  /** Writes down that a stream was emptied, and begins at 0 again. */
  void restart(LogStream stream, Instant now) throws IOException {
    marks.put(stream, new Marks());
    rewrite(now);
  }

  private void rewrite(Instant now) throws IOException {
    StringBuilder heads = new StringBuilder();
    StringBuilder text = new StringBuilder();
    for (LogStream stream : LogStream.values()) {
      heads.append(stream.headLetter()).append(' ').append(start(stream)).append(' ');
      heads.append(nanos(now)).append('\n');
      of(stream).write(stream.letter(), text);
    }
    Path fresh = files.times().resolveSibling(files.times().getFileName() + ".new");
    Files.writeString(fresh, heads.append(text));
    Files.move(fresh, files.times(), StandardCopyOption.ATOMIC_MOVE);
    head = heads.substring(0, heads.indexOf("\n") + 1);
    position = heads.length(); // With all that was appended to it.
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

  /** Of all times that matter to a log; others are as good as the last, or the first, of them. */
  private static long nanos(Instant time) {
    if (time.isAfter(LAST) || time.isBefore(Instant.EPOCH)) {
      return time.isAfter(LAST) ? Long.MAX_VALUE : 0;
    }
    return ChronoUnit.NANOS.between(Instant.EPOCH, time);
  }

  /** The looks at one stream, both offsets and times ascending. */
  private static final class Marks {
    private long[] offsets = new long[16];
    private long[] times = new long[16];
    private int count;
    private long start;

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
      return count == 0 ? start : offsets[count - 1];
    }

    /** Forgets what is said of the bytes before an offset. */
    void keepFrom(long from) {
      int found = Arrays.binarySearch(offsets, 0, count, from);
      int gone = found < 0 ? -found - 1 : found + 1;
      offsets = Arrays.copyOfRange(offsets, gone, Math.max(count, gone + 16));
      times = Arrays.copyOfRange(times, gone, Math.max(count, gone + 16));
      count -= gone;
      start = from;
    }

    void write(char letter, StringBuilder text) {
      for (int i = 0; i < count; i++) {
        text.append(letter).append(' ').append(offsets[i]).append(' ').append(times[i]);
        text.append('\n');
      }
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
