package dev.stint.apiserver.http.pod;

import dev.stint.apiserver.http.WebSocketSession;
import dev.stint.apiserver.pods.PodProcess;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.StatusObjects;
import dev.stint.model.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A process connected to a WebSocket, in any {@linkplain ChannelProtocol subprotocol}. The process
 * ends with the connection.
 *
 * <p>Reading from a process blocks its thread, and a virtual one would keep its carrier from all
 * others. So each session has three threads of the platform.
 */
final class RemoteCommand implements WebSocketSession {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteCommand.class);
  private static final int PIECE = 16 << 10;
  private static final int STACK_BYTES = 256 << 10;

  private final Start start;
  private final Streams streams;

  /** The streams that a client requests. */
  record Streams(boolean stdin, boolean stdout, boolean stderr) {}

  /** Starts the process, once the connection is established. */
  @FunctionalInterface
  interface Start {
    /** Starts it. Throws {@code ClusterException} if that is impossible. */
    PodProcess process() throws IOException;
  }

  /**
   * @param streams without stdin the process gets no input; output that is not requested is not
   *     sent
   */
  RemoteCommand(Start start, Streams streams) {
    this.start = start;
    this.streams = streams;
  }

  @Override
  public boolean isInteractive() {
    return true;
  }

  @Override
  public void hold(Frames frames, String protocol) throws IOException, InterruptedException {
    WebSocketChannels channels = new WebSocketChannels(frames, ChannelProtocol.of(protocol));
    channels.greet(streams.stdout(), streams.stderr());
    try (PodProcess process = start.process()) {
      frames.onClose(() -> startThread("stint-remote-end", process::close));
      channels.end(outcome(talk(process, channels)));
    } catch (ClusterException refusal) {
      channels.end(StatusObjects.of(refusal));
    } catch (ExecutionException fault) {
      throw new IOException("the outcome is unknown", fault);
    }
  }

  /** Returns the exit code, after all output. */
  private int talk(PodProcess process, WebSocketChannels channels)
      throws ExecutionException, InterruptedException {
    if (!streams.stdin()) {
      process.endInput();
    }
    startThread("stint-remote-in", () -> takeInput(channels, process));
    CompletableFuture<Boolean> errors = new CompletableFuture<>();
    startThread(
        "stint-remote-err",
        () -> {
          copy(process.stderr(), WebSocketChannels.STDERR, streams.stderr(), channels);
          errors.complete(true);
        });
    copy(process.stdout(), WebSocketChannels.STDOUT, streams.stdout(), channels);
    errors.join();
    return process.exitCode().get();
  }

  private static void startThread(String name, Runnable task) {
    Thread.ofPlatform().daemon().stackSize(STACK_BYTES).name(name).start(task);
  }

  private static void copy(
      InputStream from, int channel, boolean asked, WebSocketChannels channels) {
    byte[] piece = new byte[PIECE];
    try {
      for (int read = from.read(piece); read >= 0; read = from.read(piece)) {
        if (read > 0 && asked) {
          channels.send(channel, Arrays.copyOf(piece, read));
        }
      }
    } catch (IOException gone) {
      LOG.debug("Channel {} of a remote command closed: {}", channel, gone.toString());
    }
  }

  private void takeInput(WebSocketChannels channels, PodProcess process) {
    try {
      for (WebSocketChannels.Message message = channels.receive();
          message != null;
          message = channels.receive()) {
        take(message, process);
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  private void take(WebSocketChannels.Message message, PodProcess process) {
    switch (message.channel()) {
      case WebSocketChannels.STDIN -> {
        if (streams.stdin()) {
          input(message.payload(), process);
        }
      }
      case WebSocketChannels.RESIZE -> resize(message.payload(), process);
      case WebSocketChannels.CLOSE -> {
        if (message.payload().length > 0 && message.payload()[0] == WebSocketChannels.STDIN) {
          process.endInput();
        }
      }
      default -> LOG.debug("Ignoring a message for channel {}", message.channel());
    }
  }

  /**
   * Passes input to a process. It is not an error if the process has closed its input: it may well
   * continue.
   */
  private static void input(byte[] bytes, PodProcess process) {
    try {
      process.write(bytes);
    } catch (IOException full) {
      LOG.debug("The process accepts no more input: {}", full.toString());
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
      LOG.debug("Ignoring an invalid terminal size: {}", new String(json, StandardCharsets.UTF_8));
    }
  }

  /** Returns the outcome of a process as an object of kind {@code Status}. */
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
