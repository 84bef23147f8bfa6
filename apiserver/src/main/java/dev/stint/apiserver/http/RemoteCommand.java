package dev.stint.apiserver.http;

import dev.stint.apiserver.pods.PodProcess;
import dev.stint.model.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A process at the other end of a WebSocket, in the protocols {@code v4.channel.k8s.io} and {@code
 * v5.channel.k8s.io}: the first byte of a message names its channel. The process ends with the
 * connection.
 */
final class RemoteCommand implements Conversation {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteCommand.class);

  /** In the order of our liking. */
  static final List<String> PROTOCOLS = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");

  private static final int STDIN = 0;
  private static final int STDOUT = 1;
  private static final int STDERR = 2;
  private static final int ERROR = 3;
  private static final int RESIZE = 4;
  private static final int CLOSE = 255;
  private static final int PIECE = 16 << 10;

  private final Start start;
  private final boolean stdin;

  /** Starts the process, once the connection stands. */
  @FunctionalInterface
  interface Start {
    /** Throws {@code ClusterException} where it can't be. */
    PodProcess process() throws IOException;
  }

  /**
   * @param stdin whether the client's input is for the process; else it has none
   */
  RemoteCommand(Start start, boolean stdin) {
    this.start = start;
    this.stdin = stdin;
  }

  @Override
  public void hold(Frames frames, String protocol) throws IOException, InterruptedException {
    PodProcess process;
    try {
      process = start.process();
    } catch (dev.stint.cluster.ClusterException refusal) {
      frames.send(message(ERROR, Json.bytes(dev.stint.cluster.StatusObjects.of(refusal))));
      return;
    }
    try (process) {
      frames.onClose(process::close);
      if (!stdin) {
        process.endInput();
      }
      Thread.ofVirtual().name("stint-remote-in").start(() -> takeInput(frames, process));
      CompletableFuture<Boolean> errors = new CompletableFuture<>();
      Thread.ofVirtual()
          .name("stint-remote-err")
          .start(() -> {
            copy(process.stderr(), STDERR, frames);
            errors.complete(true);
          });
      copy(process.stdout(), STDOUT, frames);
      errors.join();
      frames.send(message(ERROR, Json.bytes(outcome(process.exitCode().get()))));
    } catch (ExecutionException fault) {
      throw new IOException("the outcome is not known", fault);
    }
  }

  private static void copy(InputStream from, int channel, Frames frames) {
    byte[] piece = new byte[PIECE];
    try {
      for (int read = from.read(piece); read >= 0; read = from.read(piece)) {
        if (read > 0) {
          frames.send(message(channel, Arrays.copyOf(piece, read)));
        }
      }
    } catch (IOException gone) {
      LOG.debug("channel {} of a remote command ends: {}", channel, gone.toString());
    }
  }

  private void takeInput(Frames frames, PodProcess process) {
    try {
      for (byte[] message = frames.receive(); message != null; message = frames.receive()) {
        if (message.length > 0) {
          take(message, process);
        }
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  private void take(byte[] message, PodProcess process) {
    switch (message[0] & 0xff) {
      case STDIN -> {
        if (stdin) {
          input(Arrays.copyOfRange(message, 1, message.length), process);
        }
      }
      case RESIZE -> resize(Arrays.copyOfRange(message, 1, message.length), process);
      case CLOSE -> {
        if (message.length > 1 && message[1] == STDIN) {
          process.endInput();
        }
      }
      default -> LOG.debug("a message for channel {} is ignored", message[0]);
    }
  }

  /** A process that takes no input any more is no fault: it may well go on. */
  private static void input(byte[] bytes, PodProcess process) {
    try {
      process.write(bytes);
    } catch (IOException full) {
      LOG.debug("a process takes no more input: {}", full.toString());
    }
  }

  private static void resize(byte[] json, PodProcess process) {
    try {
      JsonNode size = Json.parse(json);
      int columns = size.path("Width").asInt(0);
      int rows = size.path("Height").asInt(0);
      if (columns > 0 && rows > 0) {
        process.resize(columns, rows);
      }
    } catch (RuntimeException malformed) {
      LOG.debug("not a size: {}", new String(json, StandardCharsets.UTF_8));
    }
  }

  private static byte[] message(int channel, byte[] payload) {
    byte[] message = new byte[payload.length + 1];
    message[0] = (byte) channel;
    System.arraycopy(payload, 0, message, 1, payload.length);
    return message;
  }

  /** How a process ended, as an object of kind {@code Status}. */
  static ObjectNode outcome(int exitCode) {
    ObjectNode status = Json.object();
    status.putObject("metadata");
    if (exitCode == 0) {
      return status.put("status", "Success");
    }
    status.put("status", "Failure");
    status.put("message", "command terminated with non-zero exit code: exit code " + exitCode);
    status.put("reason", "NonZeroExitCode");
    ObjectNode cause = status.putObject("details").putArray("causes").addObject();
    cause.put("reason", "ExitCode");
    cause.put("message", String.valueOf(exitCode));
    return status;
  }
}
