package dev.stint.runner.container;

import com.github.dockerjava.transport.DockerHttpClient.Response;
import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies what a container prints, which the daemon keeps, to our files, while it runs and once more
 * at its end. How far it came is how long the files are; so it goes on at the very byte, after the
 * daemon was away as after this program was.
 */
final class LogCopy {
  private static final Logger LOG = LoggerFactory.getLogger(LogCopy.class);

  private final Daemon daemon;
  private final String id;
  private final LogFiles files;
  private final Map<LogStream, Long> starts = new EnumMap<>(LogStream.class);
  private final Object writing = new Object();
  private @Nullable Response open;
  private boolean over;

  /**
   * @param labels which say how long the files were before
   */
  LogCopy(Daemon daemon, String id, LogFiles files, Labels labels) {
    this.daemon = daemon;
    this.id = id;
    this.files = files;
    starts.put(LogStream.STDOUT, labels.stdout());
    starts.put(LogStream.STDERR, labels.stderr());
  }

  /** Copies what is printed from now on. Waits until that ends, or {@link #finish} is called. */
  void follow() {
    try (Response response = daemon.logs(id, true)) {
      synchronized (this) {
        if (over) {
          return;
        }
        open = response;
      }
      copy(response);
    } catch (DaemonException | IOException | RuntimeException fault) {
      // Closed by finish, or cut off with the daemon; what is missing comes with the next copy.
      LOG.debug("the log of container {} is not followed any more: {}", id, fault.toString());
    } finally {
      synchronized (this) {
        open = null;
      }
    }
  }

  /** Stops to follow. */
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

  /** Stops to follow, and copies what there is to the end. */
  void finish() throws DaemonException {
    stop();
    try (Response response = daemon.logs(id, false)) {
      copy(response);
    } catch (IOException fault) {
      LOG.warn("the log of container {} can't be written: {}", id, fault.toString());
    }
  }

  private void copy(Response response) throws IOException {
    synchronized (writing) {
      try (Writer stdout = new Writer(LogStream.STDOUT);
          Writer stderr = new Writer(LogStream.STDERR)) {
        Frames.copy(
            response.getBody(),
            (stream, bytes, length) ->
                (stream == LogStream.STDOUT ? stdout : stderr).write(bytes, length));
      }
    }
  }

  /** Appends to one file, but for what is in it already. */
  private final class Writer implements AutoCloseable {
    private final OutputStream out;
    private long there;

    Writer(LogStream stream) throws IOException {
      var path = files.path(stream);
      out = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      there = Files.size(path) - Objects.requireNonNull(starts.get(stream));
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
