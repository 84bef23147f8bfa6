package dev.stint.apiserver.http.pod;

import dev.stint.apiserver.http.WebSocketSession;
import dev.stint.apiserver.pods.PodAccess;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends a log over a WebSocket, one piece per message. */
record PodLogWebSocket(PodAccess.Log log) implements WebSocketSession {
  private static final String BASE64 = "base64.binary.k8s.io";

  /** The subprotocols, the preferred one first. */
  static final List<String> PROTOCOLS = List.of("binary.k8s.io", BASE64, "");

  @Override
  public long memory() {
    return PodLogHandler.MEMORY;
  }

  @Override
  public void hold(Frames frames, String protocol) throws IOException, InterruptedException {
    CompletableFuture<Boolean> closed = new CompletableFuture<>();
    frames.onClose(() -> closed.complete(true));
    Thread.ofVirtual().name("stint-socket-reader").start(() -> WebSocketUpgrade.drain(frames));
    PodAccess.Out out =
        protocol.equals(BASE64)
            ? piece -> frames.sendText(Base64.getEncoder().encodeToString(piece))
            : frames::send;
    out.write(new byte[0]); // tells the client that the connection is established
    log.writeTo(out, closed);
  }
}
