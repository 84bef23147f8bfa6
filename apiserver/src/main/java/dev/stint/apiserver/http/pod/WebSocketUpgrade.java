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

/** Whether, and in which protocol, a request is to go on over a WebSocket. */
public final class WebSocketUpgrade {
  private WebSocketUpgrade() {}

  /** Whether the client asks to go on over a WebSocket. */
  public static boolean asked(Call call) {
    return call.header("Upgrade").toLowerCase(Locale.ROOT).equals("websocket")
        && call.header("Connection").toLowerCase(Locale.ROOT).contains("upgrade");
  }

  /**
   * The protocol to go on in: our favourite where the client offers it, or else the first of the
   * client's that is known here.
   *
   * @param ours the favourite first; "" where a client need not offer any
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
                "unable to upgrade: the client offers the protocols %s, and there are %s"
                    .formatted(offered, ours)));
  }

  /** A watch, an event in each message. */
  public static ApiResponse watch(WatchStream watch) {
    return new ApiResponse.Upgraded(
        "",
        (frames, _) -> {
          Thread.ofVirtual().name("stint-socket-reader").start(() -> drain(frames));
          watch.writeTo(new Events(frames));
        });
  }

  /** Hears nothing but that the client closes. */
  static void drain(WebSocketSession.Frames frames) {
    try {
      while (frames.receive() != null) {
        // What a client says to a watch means nothing.
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends each line as a message of its own. */
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
    public void onClose(Runnable task) {
      frames.onClose(task);
    }
  }
}
