package dev.stint.bench.attack;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Anonymous requests of 1 MiB to the port for metrics of {@code stint controller}. */
final class MetricsBodies implements Attack {
  private static final int REQUESTS = 450;
  private static final int PORT = 19_464;

  @Override
  public String name() {
    return "metrics";
  }

  @Override
  public String description() {
    return "450 anonymous requests of 1 MiB to stint controller --metrics-listen";
  }

  @Override
  public String run(Scene scene) throws Exception {
    AttackedServer server = scene.target();
    java.nio.file.Path directory =
        java.nio.file.Files.createDirectories(server.directory().resolve("controller"));
    List<String> command =
        List.of(
            "controller",
            "--kubeconfig",
            server.directory().resolve("kubeconfig").toString(),
            "--metrics-listen",
            "127.0.0.1:" + PORT);
    try (AttackedServer controller =
        AttackedServer.start(server.launcher(), directory, "128m", command)) {
      for (int i = 0; i < 300 && !AttackedServer.listens(PORT); i++) {
        Thread.sleep(100);
      }
      Answers answers = new Answers();
      CompletableFuture<?>[] all = new CompletableFuture<?>[REQUESTS];
      for (int i = 0; i < REQUESTS; i++) {
        all[i] =
            CompletableFuture.runAsync(() -> answers.add(post(scene)), Thread::startVirtualThread);
      }
      CompletableFuture.allOf(all).join();
      Thread.sleep(3_000);
      return "%s; the controller %s, RSS %d MB, heap %d of 128 MB"
          .formatted(
              answers,
              controller.isAlive() ? "lives" : "**is dead**",
              controller.highestResident() >> 20,
              controller.highestHeap());
    }
  }

  private static String post(Scene scene) {
    try {
      RawConnection connection = scene.hold(RawConnection.plain(PORT, 20_000));
      connection.send(
          "POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1048576\r\n\r\n");
      connection.send(new byte[(1 << 20) - 1]);
      Thread.sleep(2_000);
      connection.send(new byte[1]);
      return Integer.toString(connection.head().code());
    } catch (IOException closed) {
      return "closed";
    } catch (InterruptedException stop) {
      return "interrupted";
    }
  }
}
