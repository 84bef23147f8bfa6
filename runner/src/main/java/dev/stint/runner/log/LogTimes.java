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
 * The times at which the bytes of an attempt's log were written, as far as they are known.
 *
 * <p>A container writes to its files by itself, so its lines are not seen one by one. Instead,
 * every check that finds a file grown records its size and the time of its last write. So the time
 * of a line is that of the last write before the next check: never earlier than the line, and later
 * by no more than the time between checks. Output after the last check has the time of the file's
 * last change. Of a log with many such records the older ones are thinned: then the time of a line
 * may be later by a small part of the line's age.
 *
 * <p>The file has a line for each check that found growth: {@code o} or {@code e} for the stream,
 * the offset, nanoseconds since 1970. A line that a full disk has cut short is ignored, as is any
 * that cannot be read. When the oldest part of a log is freed, or its records are thinned, the file
 * is rewritten. It then begins with a line for each stream: {@code O} or {@code E}, the offset of
 * the first readable byte, and the time of the change. No other such file begins so.
 */
final class LogTimes {
  /** The number of records of an attempt that is never exceeded for long. */
  static final int MANY = 10_000;

  /** The part of its age by which a line may be later than it is, at first: one of so many. */
  private static final long FINEST = 1000;

  private static final int LONGEST_HEAD = 64;

  /** Ends a line that was cut short, so that what is left of its time is not read as one. */
  private static final String CUT = "?\n";

  private static final Instant LAST = Instant.EPOCH.plusNanos(Long.MAX_VALUE);

  private final LogFiles files;
  private final Map<LogStream, Marks> marks = new EnumMap<>(LogStream.class);
  private String head = "";
  private long position;

  /** True if the file ends with a part of a line. */
  private boolean cutShort;

  private boolean many;

  LogTimes(LogFiles files) {
    this.files = files;
    for (LogStream stream : LogStream.values()) {
      marks.put(stream, new Marks());
    }
  }

  /** Returns the offset up to which a stream was checked. */
  long offset(LogStream stream) {
    return of(stream).offset();
  }

  /** Returns the start of the kept part of a stream. */
  long start(LogStream stream) {
    return of(stream).start;
  }

  /** Counts the bytes of both streams that were kept at the last check. */
  long kept() {
    long kept = 0;
    for (Marks each : marks.values()) {
      kept += each.offset() - each.start;
    }
    return kept;
  }

  /** True once there were so many records that they were thinned. */
  boolean hasMany() {
    return many;
  }

  /** Counts the records. */
  int count() {
    return marks.values().stream().mapToInt(each -> each.count).sum();
  }

  /** Returns the time of the byte before {@code end}. */
  Instant at(LogStream stream, long end) throws IOException {
    return of(stream).at(end).orElse(changed(stream));
  }

  /**
   * Returns an offset before which all bytes were surely written before a time, within the kept
   * part.
   */
  long before(LogStream stream, Instant time) {
    return Math.max(start(stream), of(stream).before(nanos(time)));
  }

  /** Reads the records that were added since the last call. */
  void refresh() throws IOException {
    // Most attempts print nothing, or end before the first check.
    byte[] added = files.times().toFile().length() == 0 ? new byte[0] : added();
    int start = 0;
    for (int i = 0; i < added.length; i++) {
      if (added[i] == '\n') {
        read(new String(added, start, i - start, StandardCharsets.US_ASCII));
        start = i + 1;
      }
    }
    position += start;
    cutShort = start < added.length;
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
    if (parts.length < 3) {
      return;
    }
    try {
      read(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    } catch (NumberFormatException cutShort) {
      // Its bytes have the time of the next line.
    }
  }

  private void read(String letter, long offset, long time) {
    for (LogStream stream : LogStream.values()) {
      if (letter.equals(String.valueOf(stream.letter()))) {
        of(stream).add(offset, time);
      } else if (letter.equals(stream.headLetter())) {
        of(stream).start = offset;
      }
    }
  }

  /**
   * Records that a stream is kept from an offset on only.
   *
   * @param starts the new starts of the streams that change
   */
  void keep(Map<LogStream, Long> starts, Instant now) throws IOException {
    starts.forEach((stream, start) -> of(stream).keepFrom(start));
    rewrite(now);
  }

  /** Records that a stream was emptied, and begins at 0 again. */
  void restart(LogStream stream, Instant now) throws IOException {
    marks.put(stream, new Marks());
    rewrite(now);
  }

  /** Drops about half of the records or more if there are many. */
  void thin(Instant now) throws IOException {
    if (count() < MANY) {
      return;
    }
    many = true;
    for (long part = FINEST; count() > MANY / 2 && part > 0; part /= 2) {
      for (Marks each : marks.values()) {
        each.thin(nanos(now), part);
      }
    }
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
    cutShort = false;
    head = heads.substring(0, heads.indexOf("\n") + 1);
    position = heads.length(); // With all that was appended to it.
  }

  /** Checks whether the files have grown, and records that. */
  void record() throws IOException {
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
      append(cutShort ? CUT + grown : grown.toString());
    }
  }

  private void append(String lines) throws IOException {
    cutShort = true;
    Files.writeString(files.times(), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    cutShort = false;
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

  /** Clamps a time to the range of nanoseconds since 1970. */
  private static long nanos(Instant time) {
    if (time.isAfter(LAST) || time.isBefore(Instant.EPOCH)) {
      return time.isAfter(LAST) ? Long.MAX_VALUE : 0;
    }
    return ChronoUnit.NANOS.between(Instant.EPOCH, time);
  }

  /** The checks of one stream, both offsets and times ascending. */
  private static final class Marks {
    private long[] offsets = new long[16];
    private long[] times = new long[16];
    private int count;
    private long start;

    /** Adds a check and returns its time. Times never decrease, even if the clock was set back. */
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

    /** Drops the records of the bytes before an offset. */
    void keepFrom(long from) {
      int found = Arrays.binarySearch(offsets, 0, count, from);
      dropFirst(found < 0 ? -found - 1 : found + 1);
      start = from;
    }

    /**
     * Drops each record between two others that are no further apart than a part of their age. So
     * the time of no byte becomes later by more than that.
     */
    void thin(long now, long part) {
      int kept = count - 1;
      for (int i = count - 2; i >= 0; i--) {
        if (i == 0 || times[kept] - times[i - 1] > Math.abs(now - times[i - 1]) / part) {
          kept--;
          offsets[kept] = offsets[i];
          times[kept] = times[i];
        }
      }
      dropFirst(Math.max(0, kept));
    }

    private void dropFirst(int gone) {
      offsets = Arrays.copyOfRange(offsets, gone, Math.max(count, gone + 16));
      times = Arrays.copyOfRange(times, gone, Math.max(count, gone + 16));
      count -= gone;
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
