package dev.stint.runner.container;

import com.github.dockerjava.transport.DockerHttpClient.Response;
import dev.stint.runner.container.daemon.ContainerLabels;
import dev.stint.runner.container.daemon.Daemon;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.container.daemon.DaemonException.Reason;
import dev.stint.runner.container.daemon.DaemonLog;
import dev.stint.runner.container.daemon.LastOccurrence;
import dev.stint.runner.container.daemon.LogFrames;
import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies a container's output from the daemon to our files, while it runs and once more at its end.
 * The lengths of the files say how far it came, so it continues at the very byte, even if the
 * daemon or this program was away.
 *
 * <p>The daemon drops the beginning of a long log, see {@link DaemonLog}, so that lengths say
 * nothing there. To follow such a log, it continues with lines of later times. At the end, it
 * continues behind the last bytes that were copied.
 */
final class LogCopy {
  private static final Logger LOG = LoggerFactory.getLogger(LogCopy.class);

  /** The number of bytes at the end of our files that are searched in the daemon's log. */
  private static final int TAIL = 1024;

  /**
   * The number of times that the daemon may cut off the rest of a log. It does so when it is
   * restarted; one that cannot read the log itself would do so for ever.
   */
  static final int MOST_CUTS = 10;

  /** The container's log at the daemon. */
  interface Source {
    /** Returns the log in frames, see {@link Daemon#logs}. */
    Response read(boolean follow, @Nullable Instant since) throws DaemonException;
  }

  /** The daemon went away while it sent the log. */
  private static final class CutOffException extends Exception {
    private static final long serialVersionUID = 1L;

    CutOffException(IOException cause) {
      super("the log was cut off: " + cause, cause);
    }
  }

  private final Source source;
  private final String id;
  private final LogFiles files;
  private final long wholeBytes;
  private final Map<LogStream, Long> starts = new EnumMap<>(LogStream.class);
  private final Object writing = new Object();
  private @Nullable Response open;
  private boolean over;
  private int cuts;

  /**
   * A position to continue at: after a number of bytes, among the lines since a time, if there is
   * one.
   */
  private record LogPosition(@Nullable Instant since, Map<LogStream, Long> skipped) {}

  /**
   * @param id identifies the container, for log lines
   * @param labels hold the lengths of the files before the attempt
   * @param wholeBytes the daemon never truncates a log below this size
   */
  LogCopy(Source source, String id, LogFiles files, ContainerLabels labels, long wholeBytes) {
    this.source = source;
    this.id = id;
    this.files = files;
    this.wholeBytes = wholeBytes;
    starts.put(LogStream.STDOUT, labels.stdout());
    starts.put(LogStream.STDERR, labels.stderr());
  }

  /** Copies the output from now on. Returns when it ends, or {@link #finish} is called. */
  void follow() {
    try {
      synchronized (writing) {
        copy(
            true,
            isLong() ? new LogPosition(lastWritten(), Map.of()) : new LogPosition(null, copied()));
      }
    } catch (DaemonException | CutOffException | IOException | RuntimeException fault) {
      // Closed by finish, or cut off with the daemon; what is missing comes with the next copy.
      LOG.debug("Stopped following the log of container {}: {}", id, fault.toString());
    } finally {
      synchronized (this) {
        open = null;
      }
    }
  }

  /** Stops following. */
  void stop() {
    Response response;
    synchronized (this) {
      over = true;
      response = open;
    }
    if (response != null) {
      response.close();
    }
  }

  /**
   * Stops following, and copies the rest of the log.
   *
   * @throws DaemonException the daemon is away; a further call continues where this one ended
   */
  void finish() throws DaemonException {
    stop();
    try {
      synchronized (writing) {
        copy(false, new LogPosition(null, isLong() ? findEnds() : copied()));
      }
    } catch (CutOffException fault) {
      cuts++;
      if (cuts < MOST_CUTS) {
        throw new DaemonException(Reason.AWAY, String.valueOf(fault.getMessage()), fault);
      }
      LOG.warn("Cannot read the log of container {}; its end is lost: {}", id, fault.getMessage());
    } catch (IOException fault) {
      LOG.warn("Cannot write the log of container {}; its end is lost: {}", id, fault.toString());
    }
  }

  private void copy(boolean follow, LogPosition position)
      throws DaemonException, CutOffException, IOException {
    try (Response response = source.read(follow, position.since())) {
      if (follow && !tryOpen(response)) {
        return;
      }
      try (Writer stdout = new Writer(LogStream.STDOUT, position);
          Writer stderr = new Writer(LogStream.STDERR, position)) {
        read(
            response,
            (stream, bytes, length) ->
                (stream == LogStream.STDOUT ? stdout : stderr).write(bytes, length));
      }
    }
  }

  /** Reads an answer. Tells a daemon that goes away from a file that cannot be written. */
  private static void read(Response response, LogFrames.Sink sink)
      throws CutOffException, IOException {
    try {
      LogFrames.copy(
          response.getBody(),
          (stream, bytes, length) -> {
            try {
              sink.accept(stream, bytes, length);
            } catch (IOException fault) {
              throw new UncheckedIOException(fault);
            }
          });
    } catch (UncheckedIOException fault) {
      throw fault.getCause();
    } catch (IOException fault) {
      throw new CutOffException(fault);
    }
  }

  /** True if the log is still to be followed. */
  private synchronized boolean tryOpen(Response response) {
    open = over ? null : response;
    return !over;
  }

  /** True if the daemon may have dropped a part of the log. */
  private boolean isLong() throws IOException {
    return copied().values().stream().mapToLong(Long::longValue).sum() > wholeBytes;
  }

  private Map<LogStream, Long> copied() throws IOException {
    Map<LogStream, Long> copied = new EnumMap<>(LogStream.class);
    for (LogStream stream : LogStream.values()) {
      Path path = files.path(stream);
      long size = Files.exists(path) ? Files.size(path) : 0;
      copied.put(stream, size - Objects.requireNonNull(starts.get(stream)));
    }
    return copied;
  }

  private Instant lastWritten() throws IOException {
    Instant last = Instant.EPOCH;
    for (LogStream stream : LogStream.values()) {
      Path path = files.path(stream);
      if (Files.exists(path)) {
        Instant written = Files.getLastModifiedTime(path).toInstant();
        last = written.isAfter(last) ? written : last;
      }
    }
    return last;
  }

  /** Finds the end of the last copied bytes in the daemon's log. */
  private Map<LogStream, Long> findEnds() throws DaemonException, CutOffException, IOException {
    Map<LogStream, LastOccurrence> tails = new EnumMap<>(LogStream.class);
    for (Map.Entry<LogStream, Long> copied : copied().entrySet()) {
      tails.put(copied.getKey(), new LastOccurrence(tail(copied.getKey(), copied.getValue())));
    }
    try (Response response = source.read(false, null)) {
      read(
          response,
          (stream, bytes, length) -> Objects.requireNonNull(tails.get(stream)).read(bytes, length));
    }
    Map<LogStream, Long> found = new EnumMap<>(LogStream.class);
    tails.forEach((stream, tail) -> found.put(stream, tail.end()));
    return found;
  }

  private byte[] tail(LogStream stream, long copied) throws IOException {
    byte[] tail = new byte[(int) Math.min(TAIL, copied)];
    if (tail.length > 0) {
      try (RandomAccessFile file = new RandomAccessFile(files.path(stream).toFile(), "r")) {
        file.seek(file.length() - tail.length);
        file.readFully(tail);
      }
    }
    return tail;
  }

  /** Appends to one file, and skips the bytes that are in it already. */
  private final class Writer implements AutoCloseable {
    private final OutputStream out;
    private long there;

    Writer(LogStream stream, LogPosition position) throws IOException {
      var path = files.path(stream);
      out = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      there = position.skipped().getOrDefault(stream, 0L);
    }

    void write(byte[] bytes, int length) throws IOException {
      int known = (int) Math.max(0, Math.min(there, length));
      out.write(bytes, known, length - known);
      there -= known;
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
