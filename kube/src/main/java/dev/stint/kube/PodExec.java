package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.kube.http.WebSocketStream;
import dev.stint.model.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command in a container, over a WebSocket on which each message begins with the number of a
 * channel. Stint's own API kills the command when the connection ends; a container runtime may let
 * it run on.
 */
final class PodExec {
  /** Both have a Status as the outcome. A client can end its input from version 5 on. */
  static final List<String> PROTOCOLS = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");

  private static final Logger LOG = LoggerFactory.getLogger(PodExec.class);
  private static final int STDIN = 0;
  private static final int STDOUT = 1;
  private static final int STDERR = 2;
  private static final int ERROR = 3;
  private static final int RESIZE = 4;
  private static final int CLOSE = 255;
  private static final int PIECE = 16 << 10;
  private static final int MOST_OUTCOME_BYTES = 1 << 20;

  private final WebSocketStream socket;
  private final ExecStreams streams;
  private final ByteArrayOutputStream outcome = new ByteArrayOutputStream();
  private volatile @Nullable IOException inputFault;

  private PodExec(WebSocketStream socket, ExecStreams streams) {
    this.socket = socket;
    this.streams = streams;
  }

  /**
   * Runs a command to its end.
   *
   * @param socket is open
   * @return its exit code
   * @throws ClusterException if it did not run, or its outcome is unknown
   */
  static int run(WebSocketStream socket, boolean hasInput, ExecStreams streams) {
    PodExec exec = new PodExec(socket, streams);
    if (streams.terminal() != null) {
      streams.terminal().onOpen(exec::resize);
    }
    if (hasInput) { // Nothing can interrupt a thread that reads its input.
      Thread.ofPlatform().daemon().name("stint-exec-in").start(exec::sendInput);
    }
    exec.receive();
    return ExecOutcome.exitCode(exec.outcome.toByteArray());
  }

  /** Reads to the end of the connection: output may come after the outcome. */
  private void receive() {
    try {
      for (byte[] next = socket.receive(); next != null; next = socket.receive()) {
        take(next);
      }
    } catch (IOException broken) {
      throw inputFault == null
          ? failure(
              outcome.size() == 0
                  ? "the outcome of the command is unknown: the connection broke: "
                  : "the command has ended, but its output may not be whole: the connection broke: ",
              broken)
          : failure("the standard input cannot be read: ", inputFault);
    }
    if (outcome.size() == 0) {
      String end = "the outcome of the command is unknown: the server closed the connection ";
      throw new ClusterException(Reason.UNAVAILABLE, (end + socket.closeReason()).strip());
    }
  }

  private static ClusterException failure(String what, IOException cause) {
    return new ClusterException(Reason.UNAVAILABLE, what + cause.getMessage(), List.of(), cause);
  }

  private void take(byte[] message) throws IOException {
    if (message.length > 1) {
      switch (message[0]) {
        case STDOUT -> pass(message, streams.out());
        case STDERR -> pass(message, streams.err());
        case ERROR -> addOutcome(message);
        default -> LOG.debug("Ignoring a message for channel {}", message[0]);
      }
    }
  }

  private static void pass(byte[] message, OutputStream to) {
    try {
      to.write(message, 1, message.length - 1);
      to.flush();
    } catch (IOException fault) {
      throw new ClusterException(
          Reason.INTERNAL,
          "the output of the command cannot be written: " + fault.getMessage(),
          List.of(),
          fault);
    }
  }

  private void addOutcome(byte[] message) throws IOException {
    if (outcome.size() + message.length > MOST_OUTCOME_BYTES) {
      throw new IOException("the outcome is too large");
    }
    outcome.write(message, 1, message.length - 1);
  }

  private void resize(int columns, int rows) {
    byte[] size = Json.bytes(Json.object().put("Width", columns).put("Height", rows));
    byte[] message = new byte[size.length + 1];
    message[0] = RESIZE;
    System.arraycopy(size, 0, message, 1, size.length);
    try {
      socket.send(message);
    } catch (IOException ended) {
      LOG.debug("A size is not sent: {}", ended.toString());
    }
  }

  /** Sends the input to its end. The command may end first. */
  private void sendInput() {
    byte[] piece = new byte[PIECE];
    piece[0] = STDIN;
    try {
      for (int count = readInput(piece); count >= 0; count = readInput(piece)) {
        socket.send(Arrays.copyOf(piece, count + 1));
      }
      endInput();
    } catch (IOException ended) {
      LOG.debug("No more input is sent: {}", ended.toString());
    }
  }

  /** Reads a piece; a fault ends the command, which would wait for its input for ever. */
  private int readInput(byte[] piece) throws IOException {
    try {
      return streams.in().read(piece, 1, PIECE - 1);
    } catch (IOException fault) {
      inputFault = fault;
      socket.close();
      throw fault;
    }
  }

  private void endInput() throws IOException {
    if (socket.protocol().equals(PROTOCOLS.getFirst())) {
      socket.send(new byte[] {(byte) CLOSE, STDIN});
    } else {
      streams.onUntoldEnd().run();
    }
  }
}
