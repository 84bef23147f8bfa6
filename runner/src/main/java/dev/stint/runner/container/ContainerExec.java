package dev.stint.runner.container;

import com.github.dockerjava.transport.DockerHttpClient.Response;
import dev.stint.runner.access.ExecTarget;
import dev.stint.runner.container.daemon.ByteQueue;
import dev.stint.runner.container.daemon.Daemon;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.container.daemon.LogFrames;
import dev.stint.runner.log.LogStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A further command in a container, such as one of {@code kubectl exec}. The daemon has no way to
 * end it, so that it may outlive its connection.
 */
final class ContainerExec implements ExecTarget {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerExec.class);

  /** The output may end a moment before the command does. */
  private static final Duration LOOK = Duration.ofMillis(10);

  private static final int LOOKS = 500;

  private final Daemon daemon;
  private final String id;
  private final boolean tty;
  private final ByteQueue input = new ByteQueue();
  private final OutputStream stdin = input.writer();
  private final ByteQueue stdout = new ByteQueue();
  private final ByteQueue stderr = new ByteQueue();
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private final Response response;

  private ContainerExec(Daemon daemon, String id, boolean tty) throws DaemonException {
    this.daemon = daemon;
    this.id = id;
    this.tty = tty;
    this.response = daemon.startExec(id, tty, input);
  }

  /** Starts an interactive command. */
  static ContainerExec start(Daemon daemon, String container, List<String> argv, boolean tty)
      throws DaemonException {
    String id = daemon.prepareExec(container, argv, true, tty);
    ContainerExec exec = new ContainerExec(daemon, id, tty);
    Thread.ofVirtual().name("stint-exec").start(exec::copy);
    return exec;
  }

  /** Runs a prepared command without input and output, and returns its exit code. */
  static int run(Daemon daemon, String id) throws DaemonException, IOException {
    try (Response response = daemon.startExec(id, false, null)) {
      var _ = response.getBody().transferTo(OutputStream.nullOutputStream());
    }
    return code(daemon, id);
  }

  private void copy() {
    try (response;
        OutputStream out = stdout.writer();
        OutputStream err = stderr.writer()) {
      if (tty) {
        var _ = response.getBody().transferTo(out);
      } else {
        LogFrames.copy(
            response.getBody(),
            (stream, bytes, length) ->
                (stream == LogStream.STDOUT ? out : err).write(bytes, 0, length));
      }
    } catch (IOException | RuntimeException cutOff) {
      LOG.debug("The output of a command was cut off: {}", cutOff.toString());
    }
    input.close();
    try {
      exitCode.complete(code(daemon, id));
    } catch (IOException | DaemonException fault) {
      exitCode.completeExceptionally(fault);
    }
  }

  private static int code(Daemon daemon, String id) throws DaemonException, IOException {
    try {
      for (int i = 0; i < LOOKS; i++) {
        Integer code = daemon.exec(id).exitCode();
        if (code != null) {
          return code;
        }
        Thread.sleep(LOOK);
      }
      throw new IOException("the command still runs, but its output ended");
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("cancelled");
    }
  }

  @Override
  public InputStream stdout() {
    return stdout;
  }

  @Override
  public InputStream stderr() {
    return stderr;
  }

  @Override
  public OutputStream stdin() {
    return stdin;
  }

  @Override
  public CompletableFuture<Integer> exitCode() {
    return exitCode.copy();
  }

  @Override
  public void resize(int columns, int rows) {
    if (tty) {
      try {
        daemon.resizeExec(id, columns, rows);
      } catch (DaemonException fault) {
        LOG.debug("Cannot resize a terminal: {}", fault.text());
      }
    }
  }

  @Override
  public void close() {
    input.close();
    stdout.close();
    stderr.close();
    response.close();
  }
}
