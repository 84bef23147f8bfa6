package dev.stint.runner.container;

import com.github.dockerjava.transport.DockerHttpClient.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;

/**
 * A command beside a container's own, in the same namespaces. The daemon has no way to end it, so
 * that it may outlive its connection.
 */
public final class ContainerExec implements AutoCloseable {
  /** Its output may end a moment before it does. */
  private static final Duration LOOK = Duration.ofMillis(10);

  private static final int LOOKS = 500;

  private final Daemon daemon;
  private final String id;
  private final Response response;
  private final boolean tty;

  private ContainerExec(Daemon daemon, String id, Response response, boolean tty) {
    this.daemon = daemon;
    this.id = id;
    this.response = response;
    this.tty = tty;
  }

  static ContainerExec start(
      Daemon daemon, String container, List<String> argv, boolean input, boolean tty)
      throws DaemonException, IOException {
    String id = daemon.prepareExec(container, argv, input, tty);
    return new ContainerExec(daemon, id, daemon.startExec(id, tty, null), tty);
  }

  /** Waits for its end, whatever it prints, and returns its exit code. */
  int await() throws IOException {
    try (InputStream in = response.getBody()) {
      if (tty) {
        var _ = in.transferTo(OutputStream.nullOutputStream());
      } else {
        Frames.copy(in, (_, _, _) -> {});
      }
    }
    return code();
  }

  private int code() throws IOException {
    try {
      for (int i = 0; i < LOOKS; i++) {
        Integer code = daemon.exitCode(id);
        if (code != null) {
          return code;
        }
        Thread.sleep(LOOK);
      }
      throw new IOException("the command goes on, but prints nothing any more");
    } catch (DaemonException fault) {
      throw new IOException(fault.text(), fault);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("cancelled");
    }
  }

  @Override
  public void close() {
    response.close();
  }
}
