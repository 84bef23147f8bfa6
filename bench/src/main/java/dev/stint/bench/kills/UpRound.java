package dev.stint.bench.kills;

import dev.stint.bench.robustness.UpApi;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Kills {@code stint up} again and again, while a client works with Jobs. */
final class UpRound {
  /** The text that {@code up} prints when it is ready. */
  static final String READY = "Serving https://";

  private static final int LONGEST_MILLIS = 1500;
  private static final Duration FIRST_WRITE = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(10);

  /** One of so many kills may come before the server is ready. */
  private static final int STARTS = 4;

  private final Scene scene;
  private final UpApi server;
  private final JobClient client;
  private final List<String> violations = new CopyOnWriteArrayList<>();

  private UpRound(Scene scene, UpApi server) {
    this.scene = scene;
    this.server = server;
    this.client = new JobClient(server, scene.file(), scene.random().split());
  }

  static JobFile file(Path directory, String image) {
    return new JobFile(directory, 2, 2, 4, "0.04", image, true);
  }

  static RoundResult play(Scene scene, int most) throws IOException, InterruptedException {
    return new UpRound(scene, UpApi.of(scene.data())).play(most);
  }

  private RoundResult play(int most) throws IOException, InterruptedException {
    AtomicBoolean loads = new AtomicBoolean(true);
    Thread load = Thread.ofPlatform().daemon().start(() -> load(loads));
    while (scene.mayKill(most)) {
      Machine.Command up = up();
      if (!scene.killsStart() && scene.random().nextInt(STARTS) > 0) {
        server.awaitReady(up::isAlive);
        awaitWrite(up);
      }
      if (scene.letRun(up, LONGEST_MILLIS)) {
        scene.kill(List.of(up), client.ledger().jobs());
      } else {
        throw new IOException("up ended by itself, with " + up.waitFor());
      }
    }
    Machine.Command up = up();
    server.awaitReady(up::isAlive);
    loads.set(false);
    load.join();
    violations.addAll(scene.ballast().differences(server));
    violations.addAll(LoadCheck.violations(server, client, scene.file(), false, scene::finished));
    return scene.result(client.ledger().jobs(), client.ledger().acknowledged(), violations);
  }

  private Machine.Command up() throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("up", "--listen", server.address(), "--pod-failure-backoff=100ms"));
    if (!scene.file().image().equals(JobFile.NO_IMAGE)) {
      arguments.add(
          "--pod-security-default=privileged"); // Its pods mount a directory of this machine.
    }
    return scene.start(arguments);
  }

  /** Waits until the client has found the server, but not for long. */
  private void awaitWrite(Machine.Command up) throws InterruptedException {
    int before = client.ledger().acknowledged();
    long end = System.nanoTime() + FIRST_WRITE.toNanos();
    while (client.ledger().acknowledged() == before
        && System.nanoTime() < end
        && !up.endsWithin(POLL)) {
      // The client works meanwhile.
    }
  }

  private void load(AtomicBoolean loads) {
    try {
      client.run(loads::get);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException fault) {
      violations.add("the client of the load failed: " + fault);
    }
  }
}
