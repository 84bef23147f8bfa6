package dev.stint.apiserver.http.pod;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.WebSocketSession;
import dev.stint.apiserver.http.handler.WatchStream;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Negotiates the upgrade of a request to a WebSocket. */
public final class WebSocketUpgrade {
  private WebSocketUpgrade() {}

  /** True if the client asks for an upgrade to a WebSocket. */
  public static boolean isRequested(Call call) {
    return call.header("Upgrade").toLowerCase(Locale.ROOT).equals("websocket")
        && call.header("Connection").toLowerCase(Locale.ROOT).contains("upgrade");
  }

  /**
   * Returns the subprotocol: our favourite if the client offers it, or else the first of the
   * client's that is known here.
   *
   * @param ours the favourite first; "" if a client need not offer any
   */
  static String protocol(Call call, List<String> ours) {
    List<String> offered =
        Arrays.stream(call.header("Sec-WebSocket-Protocol").split(",", -1))
            .map(String::strip)
            .toList();
    if (offered.contains(ours.getFirst())) {
      return ours.getFirst();
    }
    return offered.stream()
        .filter(ours::contains)
        .findFirst()
        .orElseThrow(() ->
            new ClusterException(
                Reason.BAD_REQUEST,
                "unable to upgrade: the client offers the protocols %s; the server supports %s"
                    .formatted(offered, ours)));
  }

  /** Returns a watch over a WebSocket, one event per message. */
  public static ApiResponse watch(WatchStream watch) {
    return new ApiResponse.Upgraded(
        "",
        (frames, _) -> {
          Thread.ofVirtual().name("stint-socket-reader").start(() -> drain(frames));
          watch.writeTo(new Events(frames));
        });
  }

  /** Reads and discards messages until the client closes. */
  static void drain(WebSocketSession.Frames frames) {
    try {
      while (frames.receive() != null) {
        // Messages from a client to a watch mean nothing.
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends each line as its own message. */
  private record Events(WebSocketSession.Frames frames) implements ApiResponse.Sink {
    @Override
    public void write(byte[] bytes) throws IOException {
      int start = 0;
      for (int i = 0; i < bytes.length; i++) {
        if (bytes[i] == '\n') {
          frames.sendText(new String(bytes, start, i - start, StandardCharsets.UTF_8));
          start = i + 1;
        }
      }
    }

    @Override
    public void write(long size, ApiResponse.Piece piece) throws IOException {
      frames.within(size, () -> write(piece.bytes()));
    }

    @Override
    public void onClose(Runnable task) {
      frames.onClose(task);
    }
  }
}
