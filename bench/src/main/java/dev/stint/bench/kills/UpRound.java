package dev.stint.bench.kills;

import dev.stint.bench.robustness.TestedApi;
import dev.stint.bench.robustness.UpApi;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** Kills {@code stint up} again and again, while a client works with Jobs. */
final class UpRound {
  private static final int LONGEST_MILLIS = 1500;

  /** One of so many kills may come before the server is ready. */
  private static final int STARTS = 4;

  private static final long PATIENCE_SECONDS = 60;
  private static final int POLL_MILLIS = 50;

  private final Scene scene;
  private final UpApi server;
  private final JobClient client;
  private final List<String> violations = new ArrayList<>();

  private UpRound(Scene scene, UpApi server) {
    this.scene = scene;
    this.server = server;
    this.client = new JobClient(server, scene.file(), scene.random().split());
  }

  static JobFile file(Path directory) {
    return new JobFile(directory, 2, 2, 4, "0.04", true);
  }

  static RoundResult play(Scene scene, int most) throws IOException, InterruptedException {
    return new UpRound(scene, UpApi.of(scene.data())).play(most);
  }

  private RoundResult play(int most) throws IOException, InterruptedException {
    AtomicBoolean loads = new AtomicBoolean(true);
    Thread load = Thread.ofPlatform().daemon().start(() -> load(loads));
    while (scene.mayKill(most)) {
      Machine.Command up = up();
      if (scene.random().nextInt(STARTS) > 0) {
        server.awaitReady(up::isAlive);
      }
      if (scene.letRun(up, LONGEST_MILLIS)) {
        scene.kill(up, client.ledger().jobs());
      } else {
        violations.add("up ended by itself, with " + up.waitFor());
      }
    }
    Machine.Command up = up();
    server.awaitReady(up::isAlive);
    loads.set(false);
    load.join();
    check(complete());
    return scene.result(client.ledger().jobs(), client.ledger().acknowledged(), violations);
  }

  private Machine.Command up() throws IOException {
    return scene.start(List.of("up", "--listen", server.address(), "--pod-failure-backoff=100ms"));
  }

  private void load(AtomicBoolean loads) {
    try {
      client.run(loads::get);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns all Jobs once they have ended. */
  private JsonNode complete() throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    try (TestedApi api = server.connect(HttpClient.Version.HTTP_1_1)) {
      while (true) {
        JsonNode jobs = client.list(api);
        client.see(jobs);
        if (jobs.valueStream().allMatch(UpRound::hasEnded)) {
          return jobs;
        }
        if (System.nanoTime() > end) {
          violations.add("Jobs do not end");
          return jobs;
        }
        Thread.sleep(POLL_MILLIS);
      }
    }
  }

  private static boolean hasEnded(JsonNode job) {
    return job.path("status")
        .path("conditions")
        .valueStream()
        .map(condition -> condition.path("type").asString())
        .anyMatch(type -> type.equals("Complete") || type.equals("Failed"));
  }

  private void check(JsonNode jobs) throws IOException {
    violations.addAll(client.violations());
    violations.addAll(client.ledger().differences(jobs));
    jobs.forEach(this::checkStatus);
    List<String> present =
        StreamSupport.stream(jobs.spliterator(), false)
            .map(job -> job.path("metadata").path("name").asString())
            .toList();
    int lines = scene.file().lines();
    for (String job : client.ledger().jobs()) {
      Map<Integer, List<Attempt>> attempts = scene.file().attempts(job);
      JobLogs logs = JobLogs.read(scene.data(), job);
      if (present.contains(job)) {
        Map<Integer, Integer> finished = scene.finished(job);
        client.finished(job).forEach((index, begun) -> finished.merge(index, begun, Math::min));
        violations.addAll(WorkLaws.ofComplete(job, lines, attempts, finished, logs));
      } else {
        violations.addAll(WorkLaws.ofDeleted(job, lines, attempts, logs));
      }
    }
  }

  private void checkStatus(JsonNode job) {
    JsonNode status = job.path("status");
    if (status.path("succeeded").asInt(0) != scene.file().completions()
        || status.path("failed").asInt(0) != 0) {
      violations.add("a Job is not complete, or has failures: " + job);
    }
  }
}
