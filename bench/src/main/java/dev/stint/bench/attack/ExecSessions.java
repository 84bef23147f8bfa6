package dev.stint.bench.attack;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Sessions in a container that never print anything. */
final class ExecSessions implements Attack {
  private static final int SESSIONS = 300;

  @Override
  public String name() {
    return "exec";
  }

  @Override
  public String description() {
    return "300 exec sessions that wait";
  }

  @Override
  public String run(Scene scene) throws Exception {
    scene.startPod("host");
    Answers answers =
        openAll(
            scene, SESSIONS, "pods/host/exec?command=sleep&command=1000&stdout=true&stdin=true");
    Thread.sleep(5_000);
    return answers.toString();
  }

  /** Opens {@code count} WebSockets, twenty at once. */
  static Answers openAll(Scene scene, int count, String path) throws InterruptedException {
    Answers answers = new Answers();
    Semaphore atOnce = new Semaphore(20);
    for (int i = 0; i < count; i++) {
      atOnce.acquire();
      Thread.startVirtualThread(() -> {
        answers.add(open(scene, path));
        atOnce.release();
      });
    }
    atOnce.acquire(20);
    return answers;
  }

  /** Opens a WebSocket and leaves it open; returns what was answered. */
  private static String open(Scene scene, String path) {
    try {
      RawConnection connection = scene.hold(scene.target().connect("http/1.1", 10_000));
      List<String> head =
          List.of(
              "GET " + Scene.CORE + path + " HTTP/1.1",
              "Host: localhost",
              "Authorization: Bearer " + scene.token(),
              "Connection: Upgrade",
              "Upgrade: websocket",
              "Sec-WebSocket-Version: 13",
              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
              "Sec-WebSocket-Protocol: v5.channel.k8s.io");
      return Integer.toString(
          connection.send(String.join("\r\n", head) + "\r\n\r\n").head().code());
    } catch (SocketTimeoutException late) {
      return "no answer in 10 s";
    } catch (IOException closed) {
      return "closed";
    }
  }
}
