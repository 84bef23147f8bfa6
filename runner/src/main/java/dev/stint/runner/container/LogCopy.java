package dev.stint.runner.container;

import com.github.dockerjava.transport.DockerHttpClient.Response;
import dev.stint.runner.container.daemon.ContainerLabels;
import dev.stint.runner.container.daemon.Daemon;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.container.daemon.DaemonLog;
import dev.stint.runner.container.daemon.LastOccurrence;
import dev.stint.runner.container.daemon.LogFrames;
import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
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

  private final Daemon daemon;
  private final String id;
  private final LogFiles files;
  private final long wholeBytes;
  private final Map<LogStream, Long> starts = new EnumMap<>(LogStream.class);
  private final Object writing = new Object();
  private @Nullable Response open;
  private boolean over;

  /**
   * A position to continue at: after a number of bytes, among the lines since a time, if there is
   * one.
   */
  private record LogPosition(@Nullable Instant since, Map<LogStream, Long> skipped) {}

  /**
   * @param labels hold the lengths of the files before the attempt
   * @param wholeBytes the daemon never truncates a log below this size
   */
  LogCopy(Daemon daemon, String id, LogFiles files, ContainerLabels labels, long wholeBytes) {
    this.daemon = daemon;
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
    } catch (DaemonException | IOException | RuntimeException fault) {
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

  /** Stops following, and copies the rest of the log. */
  void finish() throws DaemonException {
    stop();
    try {
      synchronized (writing) {
        copy(false, new LogPosition(null, isLong() ? findEnds() : copied()));
      }
    } catch (IOException fault) {
      LOG.warn("Cannot write the log of container {}; its end is lost: {}", id, fault.toString());
    }
  }

  private void copy(boolean follow, LogPosition position) throws DaemonException, IOException {
    try (Response response = daemon.logs(id, follow, position.since())) {
      if (follow && !tryOpen(response)) {
        return;
      }
      try (Writer stdout = new Writer(LogStream.STDOUT, position);
          Writer stderr = new Writer(LogStream.STDERR, position)) {
        LogFrames.copy(
            response.getBody(),
            (stream, bytes, length) ->
                (stream == LogStream.STDOUT ? stdout : stderr).write(bytes, length));
      }
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
  private Map<LogStream, Long> findEnds() throws DaemonException, IOException {
    Map<LogStream, LastOccurrence> tails = new EnumMap<>(LogStream.class);
    for (Map.Entry<LogStream, Long> copied : copied().entrySet()) {
      tails.put(copied.getKey(), new LastOccurrence(tail(copied.getKey(), copied.getValue())));
    }
    try (Response response = daemon.logs(id, false, null)) {
      LogFrames.copy(
          response.getBody(),
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
