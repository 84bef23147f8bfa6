package dev.stint.cli.job;

import dev.stint.jobs.attempts.LogSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a log has been passed on, by the times of its lines: if its stream breaks, the next one
 * repeats the last lines, which are left out. Expects lines with times, and passes them on without
 * unless asked to.
 *
 * <p>With {@code --tail}, lines that have the time of the first one may be repeated. The end of a
 * stream is not passed on, since it may not be that of the log.
 */
final class LogPosition implements LogSource.Out {
  /** Longer than any time of a line. */
  private static final int LONGEST_TIME = 64;

  private final LogSource.Out out;
  private final boolean timestamps;
  private final ByteArrayOutputStream time = new ByteArrayOutputStream();
  private boolean isInTime = true;

  /** What has been passed on of all streams, and what has arrived of the present one. */
  private Place passed = Place.START;

  private Place arrived = Place.START;

  /** True until something new arrives. */
  private boolean isRepeating;

  /**
   * A place in a log.
   *
   * @param time the time of the last line that has begun; null before the first time
   * @param line the number of lines before it that have the same time
   * @param bytes the length of what there is of that line
   */
  private record Place(@Nullable Instant time, long line, long bytes, boolean isInLine) {
    static final Place START = new Place(null, -1, 0, false);

    Place nextLine(@Nullable Instant next) {
      Instant its = next == null ? time : next;
      return new Place(its, its != null && its.equals(time) ? line + 1 : 0, 0, true);
    }

    Place plus(int count, boolean isEnd) {
      return new Place(time, line, bytes + count, !isEnd);
    }

    /** Compares lines; one without a time is taken for a later one. */
    int compareLine(Place other) {
      if (time == null || other.time == null) {
        return 1;
      }
      int order = time.compareTo(other.time);
      return order == 0 ? Long.compare(line, other.line) : order;
    }
  }

  LogPosition(LogSource.Out out, boolean timestamps) {
    this.out = out;
    this.timestamps = timestamps;
  }

  /** Begins the next stream. */
  void restart() {
    arrived = Place.START;
    isRepeating = true;
    isInTime = true;
    time.reset();
  }

  /** Returns what is left of a view, from the last line on, with times. */
  LogSource.View rest(LogSource.View view) {
    Instant from = passed.time();
    return from == null
        ? new LogSource.View(true, view.tail(), view.since(), view.streams())
        : new LogSource.View(true, null, from, view.streams());
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
    arrived = arrived.nextLine(its);
    isInTime = false;
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
  private void pass(byte[] bytes, int from, int end, ByteArrayOutputStream rest) {
    long before = arrived.bytes();
    arrived = arrived.plus(end - from, isInTime);
    int first = isRepeating ? from + repeated(before, end - from, rest) : from;
    if (first < end) {
      isRepeating = false;
      rest.write(bytes, first, end - first);
      passed = arrived;
    }
  }

  /** Returns how much of a part an earlier stream had; ends the line that it broke off in. */
  private int repeated(long before, int length, ByteArrayOutputStream rest) {
    int order = arrived.compareLine(passed);
    if (order > 0 && passed.isInLine()) {
      rest.write('\n');
    }
    long known = order < 0 ? length : order == 0 ? passed.bytes() - before : 0;
    return Math.clamp(known, 0, length);
  }
}
