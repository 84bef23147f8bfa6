package dev.stint.runner.log;

import dev.stint.runner.file.Handle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the size of an attempt's log on disk.
 *
 * <p>A container writes to its files by itself, so that they cannot be rotated. Instead, the disk
 * space of their oldest part is freed while the container continues appending: offsets stay the
 * same, and the freed part reads as zeros. If the file system cannot do that, the file is emptied.
 */
final class LogCap {
  private static final Logger LOG = LoggerFactory.getLogger(LogCap.class);

  /** Far below the largest file that a usual file system can have (ext4: 16 TiB). */
  private static final long LONGEST_FILE = 8L << 40;

  private final long mostBytes;
  private final Holes holes;

  /** Frees disk space. */
  @FunctionalInterface
  interface Holes {
    /**
     * Makes the beginning of a file read as zeros that take up no space.
     *
     * @return false if the file system cannot do that
     */
    boolean punch(Path file, long end);
  }

  /**
   * @param mostBytes the limit for both streams of an attempt together
   */
  LogCap(long mostBytes, Holes holes) {
    this.mostBytes = mostBytes;
    this.holes = holes;
  }

  /**
   * Frees the oldest part of a log that has become too large, so that there is some room again.
   *
   * @param sizes the sizes of its files
   * @return the number of bytes that are kept
   */
  long trim(LogFiles files, LogTimes times, ToLongFunction<LogStream> sizes, Instant now)
      throws IOException {
    Map<LogStream, Long> kept = new EnumMap<>(LogStream.class);
    for (LogStream stream : LogStream.values()) {
      kept.put(stream, Math.max(0, sizes.applyAsLong(stream) - times.start(stream)));
    }
    if (sum(kept) <= mostBytes) {
      return sum(kept);
    }
    Map<LogStream, Long> starts = new EnumMap<>(LogStream.class);
    for (Map.Entry<LogStream, Long> each : shares(kept, mostBytes - mostBytes / 4).entrySet()) {
      if (each.getValue() < kept.getOrDefault(each.getKey(), 0L)) {
        long from = sizes.applyAsLong(each.getKey()) - each.getValue();
        long most = Math.min(LogCursor.LONGEST_LINE, each.getValue() / 2);
        starts.put(each.getKey(), lineStart(files.path(each.getKey()), from, most));
      }
    }
    giveUp(files, times, starts, now);
    return mostBytes - mostBytes / 4;
  }

  /**
   * Returns what each stream may keep: half of the total, and what the other one leaves of its
   * half.
   */
  static Map<LogStream, Long> shares(Map<LogStream, Long> kept, long all) {
    long out = kept.getOrDefault(LogStream.STDOUT, 0L);
    long err = kept.getOrDefault(LogStream.STDERR, 0L);
    long half = all / 2;
    return Map.of(
        LogStream.STDOUT, Math.min(out, Math.max(half, all - err)),
        LogStream.STDERR, Math.min(err, Math.max(half, all - out)));
  }

  private static long sum(Map<LogStream, Long> kept) {
    return kept.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Frees the beginnings of files. Records that first, so that readers who find zeros know the
   * reason.
   */
  private void giveUp(LogFiles files, LogTimes times, Map<LogStream, Long> starts, Instant now)
      throws IOException {
    boolean recorded = recordStarts(times, starts, now);
    Map<LogStream, Long> punched = new EnumMap<>(LogStream.class);
    for (Map.Entry<LogStream, Long> each : starts.entrySet()) {
      Path path = files.path(each.getKey());
      if (each.getValue() < LONGEST_FILE && holes.punch(path, each.getValue())) {
        punched.put(each.getKey(), each.getValue());
        noteIn(path, each.getValue());
      } else {
        empty(path);
        times.restart(each.getKey(), now);
      }
    }
    if (!recorded) {
      times.keep(punched, now);
    }
  }

  private static void noteIn(Path file, long start) {
    try {
      CutNotice.write(file, start);
    } catch (IOException full) {
      LOG.debug("Cannot write into {} that it was cut: {}", file, full.toString());
    }
  }

  /** Records the new starts. Fails on a full disk; then it is done again once there is room. */
  private static boolean recordStarts(LogTimes times, Map<LogStream, Long> starts, Instant now) {
    try {
      times.keep(starts, now);
      return true;
    } catch (IOException full) {
      LOG.debug(
          "Cannot record that a log will be truncated, since the disk is full: {}",
          full.toString());
      return false;
    }
  }

  private static void empty(Path file) throws IOException {
    try (FileChannel channel = Handle.channel(file, StandardOpenOption.WRITE)) {
      channel.truncate(0);
    }
  }

  /**
   * Returns the start of the first whole line from an offset on; the offset itself for long lines.
   */
  private static long lineStart(Path file, long from, long most) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(64 << 10);
    try (FileChannel channel = Handle.channel(file, StandardOpenOption.READ)) {
      for (long at = from; at < from + most; at += block.limit()) {
        block.clear().limit((int) Math.min(block.capacity(), from + most - at));
        if (channel.read(block, at) <= 0) {
          return from;
        }
        block.flip();
        for (int i = 0; i < block.limit(); i++) {
          if (block.get(i) == '\n') {
            return at + i + 1;
          }
        }
      }
    }
    return from;
  }
}
