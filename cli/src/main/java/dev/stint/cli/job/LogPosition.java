package dev.stint.cli.job;

import dev.stint.jobs.attempts.LogSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How far a log has been passed on: if its stream breaks, the next one begins a little earlier, by
 * the times of the lines, and as many lines are left out as have been passed on since that time. It
 * may begin earlier still, as kubelets go by whole seconds: such lines are left out, too. Expects
 * lines with times, and passes them on without unless asked to.
 *
 * <p>The end of a stream is not passed on, since it may not be that of the log. After a clock was
 * set back, lines may be repeated.
 */
final class LogPosition implements LogSource.Out {
  /** Longer than any time of a line. */
  private static final int LONGEST_TIME = 64;

  private static final long SLOT_MILLIS = 100;

  /** Lines of both streams may come in another order than that of their times: up to 5 s. */
  private static final long SLOTS = 50;

  private final LogSource.Out out;
  private final boolean timestamps;

  /** The number of lines that have been passed on by their times, for the last slots of time. */
  private final TreeMap<Long, Long> lines = new TreeMap<>();

  /** The time of the first line that has been passed on: those before it are not asked for. */
  private Instant earliest = Instant.MAX;

  /** The length of the last line that has been passed on, as far as it was. */
  private long bytes;

  private boolean isInLine;
  private boolean isCounted;

  /** The beginning of the present line, until its time is complete. */
  private final ByteArrayOutputStream time = new ByteArrayOutputStream();

  private boolean isInTime = true;

  /** The number of lines that the present stream still repeats. */
  private long repeatedLines;

  /** The number of bytes that the present line still repeats. */
  private long repeatedBytes;

  LogPosition(LogSource.Out out, boolean timestamps) {
    this.out = out;
    this.timestamps = timestamps;
  }

  /** Begins the next stream. */
  void restart() {
    time.reset();
    isInTime = true;
    repeatedBytes = 0;
    repeatedLines = lines.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns what is left of a view, with times; its first lines repeat earlier ones. */
  LogSource.View rest(LogSource.View view) {
    return lines.isEmpty()
        ? new LogSource.View(true, view.tail(), view.since(), view.streams())
        : new LogSource.View(
            true, null, Instant.ofEpochMilli(lines.firstKey() * SLOT_MILLIS), view.streams());
  }

  @Override
  public void write(byte[] piece) throws IOException {
    ByteArrayOutputStream rest = new ByteArrayOutputStream(piece.length);
    int at = 0;
    while (at < piece.length) {
      at = isInTime ? readTime(piece, at, rest) : readLine(piece, at, rest);
    }
    if (rest.size() > 0) {
      out.write(rest.toByteArray());
    }
  }

  private int readTime(byte[] piece, int from, ByteArrayOutputStream rest) {
    int at = from;
    while (at < piece.length && isOfTime(piece[at])) {
      time.write(piece[at++]);
    }
    if (at == piece.length) {
      return at;
    }
    Instant its = piece[at] == ' ' ? instant(time.toString(StandardCharsets.UTF_8)) : null;
    isInTime = false;
    begin(its, rest);
    if (timestamps || its == null) {
      pass(time.toByteArray(), 0, time.size(), rest);
    } else {
      at++;
    }
    time.reset();
    return at;
  }

  private boolean isOfTime(byte next) {
    return next != ' ' && next != '\n' && time.size() < LONGEST_TIME;
  }

  private static @Nullable Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException none) {
      return null;
    }
  }

  /**
   * Begins a line: one that an earlier stream had, or a new one.
   *
   * @param its null if the line has no time, as a message of the kubelet
   */
  private void begin(@Nullable Instant its, ByteArrayOutputStream rest) {
    if (repeatedLines > 0 && its != null && isEarlier(its)) {
      repeatedBytes = Long.MAX_VALUE;
      return;
    }
    if (repeatedLines > 0 && (its == null || slot(its) <= lines.lastKey())) {
      repeatedLines -= its == null ? 0 : 1;
      boolean isLast = its != null && repeatedLines == 0;
      repeatedBytes = isLast && isInLine && isCounted ? bytes : Long.MAX_VALUE;
      return;
    }
    repeatedLines = 0;
    repeatedBytes = 0;
    if (isInLine) {
      rest.write('\n');
    }
    bytes = 0;
    isInLine = true;
    isCounted = its != null;
    if (its != null) {
      count(its);
    }
  }

  /** True if a line is from before those that are counted. */
  private boolean isEarlier(Instant its) {
    return its.isBefore(earliest) || slot(its) < lines.firstKey();
  }

  private static long slot(Instant time) {
    return Math.floorDiv(time.toEpochMilli(), SLOT_MILLIS);
  }

  private void count(Instant its) {
    long slot = slot(its);
    if (!lines.isEmpty() && slot < lines.lastKey() - SLOTS) { // The clock was set back.
      lines.clear();
    }
    if (lines.isEmpty()) {
      earliest = its;
    }
    lines.merge(slot, 1L, Long::sum);
    lines.headMap(lines.lastKey() - SLOTS).clear();
  }

  private int readLine(byte[] piece, int from, ByteArrayOutputStream rest) {
    int end = from;
    while (end < piece.length && piece[end] != '\n') {
      end++;
    }
    isInTime = end < piece.length;
    end += isInTime ? 1 : 0;
    pass(piece, from, end, rest);
    return end;
  }

  /** Passes on a part of a line, unless an earlier stream had it. */
  private void pass(byte[] part, int from, int end, ByteArrayOutputStream rest) {
    int repeated = Math.clamp(repeatedBytes, 0, end - from);
    repeatedBytes -= repeated;
    int count = end - from - repeated;
    if (count > 0) {
      rest.write(part, from + repeated, count);
      bytes += count;
      isInLine = !isInTime;
    }
  }
}
