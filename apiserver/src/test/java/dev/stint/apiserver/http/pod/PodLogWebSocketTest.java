package dev.stint.apiserver.http.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.http.WebSocketSession;
import dev.stint.apiserver.pods.PodAccess;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodLogWebSocketTest {
  private static final PodAccess.Log LOG =
      (out, _) -> {
        out.write("one\n".getBytes(StandardCharsets.UTF_8));
        out.write("two\n".getBytes(StandardCharsets.UTF_8));
      };

  private final List<String> got = new ArrayList<>();

  private final WebSocketSession.Frames client =
      new WebSocketSession.Frames() {
        @Override
        public void send(byte[] message) {
          got.add("binary " + new String(message, StandardCharsets.UTF_8));
        }

        @Override
        public void sendText(String message) {
          got.add("text " + message);
        }

        @Override
        public byte[] receive() throws InterruptedException {
          Thread.currentThread().join();
          return new byte[0];
        }

        @Override
        public void onClose(Runnable task) {
          // stays open
        }
      };

  @Test
  void aLogComesInBinaryMessagesAfterAnEmptyOne() throws Exception {
    new PodLogWebSocket(LOG).hold(client, "binary.k8s.io");
    assertThat(got).containsExactly("binary ", "binary one\n", "binary two\n");
  }

  @Test
  void inBase64ItComesAsText() throws Exception {
    new PodLogWebSocket(LOG).hold(client, "base64.binary.k8s.io");
    assertThat(got).containsExactly("text ", "text b25lCg==", "text dHdvCg==");
  }
}
