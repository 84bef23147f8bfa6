package dev.stint.cli.job;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.TerminalText;
import dev.stint.cluster.ClusterException;
import dev.stint.jobs.attempts.LogSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Merges several logs, in the order of the times of their lines. A thread of its own reads each
 * log, a few lines ahead, so that logs may be of any length.
 */
final class MergedLogs {
  /** The largest number of logs; each takes some open files. */
  static final int MOST = 200;

  private static final int LINES_AHEAD = 64;

  private final boolean timestamps;
  private final List<Log> logs = new ArrayList<>();

  /** Reads a log to its end, each line with its time. */
  @FunctionalInterface
  interface Reader {
    void copy(LogSource.Out out) throws IOException, InterruptedException;
  }

  /**
   * A line.
   *
   * @param time the time when it was printed; if unknown, that of the line before
   * @param text without its end, and without its time if that is not to be shown
   */
  @SuppressWarnings("ArrayRecordComponent") // told, never compared
  private record Line(Instant time, byte[] text) {
    static final Line END = new Line(Instant.MAX, new byte[0]);
  }

  /**
   * Creates a merge without logs.
   *
   * @param timestamps true to show lines with their times
   */
  MergedLogs(boolean timestamps) {
    this.timestamps = timestamps;
  }

  /** Adds a log, with a prefix for its lines. */
  void add(String prefix, Reader reader) {
    logs.add(new Log(prefix, reader, logs.size()));
  }

  /**
   * Reads all logs.
   *
   * @param fault receives messages about logs that cannot be read
   * @return true if all could be read
   */
  boolean copyTo(LinePrefixer out, Console fault) throws IOException, InterruptedException {
    PriorityQueue<Log> next =
        new PriorityQueue<>(
            Comparator.comparing((Log log) -> log.head.time()).thenComparingInt(log -> log.order));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        logs.forEach(log -> threads.execute(log::read));
        for (Log log : logs) {
          log.advanceIn(next);
        }
        for (Log log = next.poll(); log != null; log = next.poll()) {
          out.write(log.line());
          log.advanceIn(next);
        }
      } finally {
        threads.shutdownNow();
      }
    }
    List<Log> unread = logs.stream().filter(log -> log.fault != null).toList();
    unread.forEach(log -> fault.say(log.prefix.strip() + " " + log.fault));
    return unread.isEmpty();
  }

  private final class Log implements LogSource.Out {
    private final String prefix;
    private final Reader reader;
    private final int order;
    private final BlockingQueue<Line> lines = new ArrayBlockingQueue<>(LINES_AHEAD);
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
    private Instant time = Instant.MIN;
    private Line head = Line.END;
    private volatile @Nullable String fault;

    Log(String prefix, Reader reader, int order) {
      this.prefix = prefix;
      this.reader = reader;
      this.order = order;
    }

    /** Reads the log, in its own thread. */
    void read() {
      try {
        reader.copy(this);
        finish();
      } catch (ClusterException | IOException gone) {
        fault = gone.getMessage();
      } catch (InterruptedException enough) {
        return;
      }
      try {
        lines.put(Line.END);
      } catch (InterruptedException enough) {
        Thread.currentThread().interrupt();
      }
    }

    /** Waits for the log's next line and queues it; does nothing if there are no more. */
    void advanceIn(PriorityQueue<Log> all) throws InterruptedException {
      head = lines.take();
      if (head != Line.END) {
        all.add(this);
      }
    }

    byte[] line() {
      byte[] start = TerminalText.printed(prefix).getBytes(StandardCharsets.UTF_8);
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      line.writeBytes(start);
      line.writeBytes(head.text());
      line.write('\n');
      return line.toByteArray();
    }

    @Override
    public void write(byte[] piece) throws IOException {
      int from = 0;
      for (int i = 0; i < piece.length; i++) {
        if (piece[i] == '\n') {
          begun.write(piece, from, i - from);
          put(begun.toByteArray());
          begun.reset();
          from = i + 1;
        }
      }
      begun.write(piece, from, piece.length - from);
    }

    @Override
    public void finish() throws IOException {
      if (begun.size() > 0) {
        put(begun.toByteArray());
        begun.reset();
      }
    }

    private void put(byte[] line) throws IOException {
      try {
        lines.put(timed(line));
      } catch (InterruptedException enough) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("nobody reads on");
      }
    }

    private Line timed(byte[] line) {
      int space = 0;
      while (space < line.length && line[space] != ' ') {
        space++;
      }
      try {
        time = Instant.parse(new String(line, 0, space, StandardCharsets.US_ASCII));
      } catch (DateTimeParseException none) {
        return new Line(time, line);
      }
      int from = timestamps ? 0 : Math.min(line.length, space + 1);
      byte[] text = new byte[line.length - from];
      System.arraycopy(line, from, text, 0, text.length);
      return new Line(time, text);
    }
  }
}
