package dev.stint.embedded.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

@Timeout(60)
class FrameChannelTest {
  @TempDir private Path dir;
  private final ByteBudget budget = new ByteBudget(16 << 20, 12 << 20);

  private static ObjectNode message(int bytes) {
    return Json.object().put("text", "x".repeat(bytes));
  }

  private FrameChannel sender(SocketChannel socket) {
    return new FrameChannel(socket, "sender", budget.share(), ByteBudget.ofOne(1));
  }

  private static FrameChannel receiver(SocketChannel socket) {
    return new FrameChannel(socket, "receiver", 1 << 20);
  }

  /** True if the connection has ended: within a message, or before its first byte. */
  private static boolean isCutOff(FrameChannel channel) throws IOException {
    try {
      return channel.read() == null;
    } catch (EOFException withinMessage) {
      return true;
    }
  }

  @Test
  void aPeerThatDoesNotReadIsCutOffRatherThanOneThatDoes() throws IOException {
    try (ServerSocketChannel listening = PrivateSocket.listen(dir);
        FrameChannel stopped = receiver(PrivateSocket.connect(dir));
        FrameChannel toStopped = sender(listening.accept());
        FrameChannel healthy = receiver(PrivateSocket.connect(dir));
        FrameChannel toHealthy = sender(listening.accept())) {
      toStopped.send(message(11 << 20));
      toHealthy.send(message(8 << 20));
      assertThat(healthy.read()).isEqualTo(message(8 << 20));
      assertThat(isCutOff(stopped)).isTrue();
      assertThat(toStopped.unsentBytes()).isZero();
    }
  }
}
