package dev.stint.runner.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reads both streams of one attempt as one log, its lines in the order of their times. Lines of
 * standard output come first if the times are equal.
 *
 * <p>Reading blocks: on the disk, on the reader, and, if the log is followed, on new output.
 */
public final class LogReader {
  private static final int PIECE = 16 << 10;
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd'T'HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .appendLiteral('Z')
          .toFormatter(java.util.Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final LogFiles files;
  private final LogOptions options;
  private final CompletableFuture<?> ended;

  /** The destination of a log. */
  @FunctionalInterface
  public interface Out {
    /** Writes a piece. Waits for a slow reader; fails if the reader is gone. */
    void write(byte[] piece) throws IOException;
  }

  /**
   * @param ended completes when no process writes to the files any more
   */
  public LogReader(LogFiles files, LogOptions options, CompletableFuture<?> ended) {
    this.files = files;
    this.options = options;
    this.ended = ended;
  }

  /**
   * Copies the log.
   *
   * @param stop completes when the reader is gone, which ends the copying
   */
  public void copyTo(Out out, CompletableFuture<?> stop) throws IOException, InterruptedException {
    Copy copy = new Copy(out);
    try {
      copy.start();
      CompletableFuture<?> wake = CompletableFuture.anyOf(quietly(ended), quietly(stop));
      while (!copy.round() && !stop.isDone()) {
        await(wake);
      }
    } finally {
      copy.close();
    }
  }

  private static CompletableFuture<?> quietly(CompletableFuture<?> future) {
    return future.handle((_, _) -> true);
  }

  private static void await(CompletableFuture<?> wake) throws InterruptedException {
    try {
      wake.get(LogMarker.INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException look) {
      // Then it is time to look again.
    }
  }

  /** One stream of the log that is being copied. */
  private static final class Source {
    final LogStream stream;
    final LogCursor cursor;
    LogCursor.@Nullable Line next;
    Instant time = Instant.EPOCH;
    long limit;

    Source(LogStream stream, LogCursor cursor) {
      this.stream = stream;
      this.cursor = cursor;
    }
  }

  /** The state of one copying. */
  private final class Copy {
    private final Out out;
    private final LogTimes times = new LogTimes(files);
    private final List<Source> sources = new ArrayList<>();
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private long skip;

    /** The bytes before the part to show that are gone; 0 once that was said. */
    private long cut;

    private long left = options.limitBytes() == null ? Long.MAX_VALUE : options.limitBytes();
    private boolean shown;

    Copy(Out out) {
      this.out = out;
      for (LogStream stream : LogStream.values()) {
        if (options.streams().contains(stream)) {
          sources.add(new Source(stream, new LogCursor(files, stream, () -> kept(stream))));
        }
      }
    }

    void close() throws IOException {
      for (Source source : sources) {
        source.cursor.close();
      }
    }

    private long kept(LogStream stream) throws IOException {
      times.refresh();
      return times.start(stream);
    }

    /** Finds the start. */
    void start() throws IOException {
      times.refresh();
      Long tail = options.tailLines();
      Instant since = options.since();
      for (Source source : sources) {
        long start = times.start(source.stream);
        if (tail != null) {
          LogCursor.Tail found = source.cursor.tail(start, files.size(source.stream), tail);
          source.cursor.seek(found.offset());
          skip += found.lines();
          cut += found.lines() < tail ? times.start(source.stream) : 0;
        } else if (since != null) {
          // A check may have come in the middle of a line, which then has the time of the next
          // check.
          long before = times.before(source.stream, since);
          source.cursor.seek(source.cursor.tail(start, before, 1).offset());
          cut += before <= start ? start : 0;
        } else {
          source.cursor.seek(start);
          cut += start;
        }
      }
      skip = tail == null ? 0 : Math.max(0, skip - tail);
    }

    /** Copies the available output; true if that was all. */
    boolean round() throws IOException {
      boolean over = !options.follow() || ended.isDone();
      times.refresh();
      for (Source source : sources) {
        long size = files.size(source.stream);
        source.limit = over ? size : times.offset(source.stream);
        long start = times.start(source.stream);
        if (size < source.cursor.position() || start > source.cursor.position()) {
          source.cursor.seek(start); // It was emptied, or the part to read next was freed.
        }
        advance(source, over);
      }
      for (Source first = first(); first != null && left > 0; first = first()) {
        show(first);
        advance(first, over);
      }
      flush();
      return over || left <= 0;
    }

    private @Nullable Source first() {
      Source first = null;
      for (Source source : sources) {
        if (source.next != null && (first == null || source.time.isBefore(first.time))) {
          first = source;
        }
      }
      return first;
    }

    private void advance(Source source, boolean over) throws IOException {
      LogCursor.Line line = source.cursor.next(source.limit, over);
      source.next = line;
      if (line != null && line.starts()) {
        source.time = times.at(source.stream, line.end());
      }
    }

    private void show(Source source) throws IOException {
      LogCursor.Line line = java.util.Objects.requireNonNull(source.next);
      if (line.starts()) {
        Instant since = options.since();
        shown = skip <= 0 && (since == null || !source.time.isBefore(since));
        skip--;
        if (shown) {
          putNotice(source.time);
          putTime(source.time);
        }
      }
      if (shown) {
        put(line.bytes());
      }
      if (pending.size() >= PIECE) {
        flush();
      }
    }

    /** Says once, before the first line, that there was more before it. */
    private void putNotice(Instant time) {
      if (cut > 0) {
        putTime(time);
        put(CutNotice.line(cut));
        cut = 0;
      }
    }

    private void putTime(Instant time) {
      if (options.timestamps()) {
        put((TIME.format(time) + " ").getBytes(StandardCharsets.UTF_8));
      }
    }

    private void put(byte[] bytes) {
      int length = (int) Math.min(left, bytes.length);
      pending.write(bytes, 0, length);
      left -= length;
    }

    private void flush() throws IOException {
      if (pending.size() > 0) {
        out.write(pending.toByteArray());
        pending.reset();
      }
    }
  }
}
