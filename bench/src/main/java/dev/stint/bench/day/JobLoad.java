package dev.stint.bench.day;

import dev.stint.bench.robustness.TestedApi;
import dev.stint.bench.robustness.TestedApi.Reply;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Creates Jobs at an even rate, whatever the server does, watches all of them, and asks for
 * readiness. Most Jobs have one pod that runs {@code true}; some have three, some print a line.
 */
final class JobLoad {
  /** For how long a finished Job stays. */
  static final Duration TIME_TO_LIVE = Duration.ofSeconds(30);

  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
  private static final int MOST_AT_ONCE = 256;
  private static final int MOST_TRIES = 5;
  private static final int WATCH_SECONDS = 300;

  private final DayServer server;
  private final JobTracker tracker;
  private final LatenciesOfMinute creations = new LatenciesOfMinute();
  private final LatenciesOfMinute probes = new LatenciesOfMinute();

  /** The newest state that the watch knows. */
  private String revision = "0";

  JobLoad(DayServer server, JobTracker tracker) {
    this.server = server;
    this.tracker = tracker;
  }

  LatenciesOfMinute creations() {
    return creations;
  }

  LatenciesOfMinute probes() {
    return probes;
  }

  static String manifest(int number) {
    int pods = number % 20 == 0 ? 3 : 1;
    String command = number % 20 == 10 ? "\"echo\", \"Job %d\"".formatted(number) : "\"true\"";
    return """
    {"metadata": {"name": "%s"}, "spec": {"ttlSecondsAfterFinished": %d, "completionMode": "Indexed",
     "completions": %d, "parallelism": %d, "template": {"spec": {"restartPolicy": "Never", "containers": [
     {"name": "main", "image": "none", "command": [%s]}]}}}}
    """
        .formatted(name(number), TIME_TO_LIVE.toSeconds(), pods, pods, command);
  }

  private static String name(int number) {
    return "job-%07d".formatted(number);
  }

  /** Creates all Jobs within a time, and waits for the answers. */
  void create(int jobs, Duration time) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Semaphore free = new Semaphore(MOST_AT_ONCE);
    try (TestedApi api = server.connect(HttpClient.Version.HTTP_2)) {
      for (int number = 0; number < jobs && server.isAlive(); number++) {
        long due = start + (long) ((double) time.toNanos() / jobs * number);
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        free.acquire();
        int next = number;
        Thread.ofVirtual()
            .start(() -> {
              create(api, next, due);
              free.release();
            });
      }
      free.acquire(MOST_AT_ONCE);
    }
  }

  private void create(TestedApi api, int number, long due) {
    String job = name(number);
    tracker.onDue(job, due);
    try {
      Reply reply = answer(api, manifest(number));
      creations.add(System.nanoTime() - due);
      if (reply.code() == 201 || reply.code() == 409) {
        tracker.onCreated(job);
      } else {
        tracker.onRefused(job, reply.toString());
      }
    } catch (IOException unanswered) {
      tracker.onFault("the creation of %s was not answered: %s".formatted(job, unanswered));
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends a creation again if it is not answered in time, as clients do; it may have been done. */
  private Reply answer(TestedApi api, String manifest) throws IOException, InterruptedException {
    for (int tries = 1; true; tries++) {
      try {
        return api.send("POST", JOBS, manifest);
      } catch (IOException unanswered) {
        tracker.onUnanswered();
        if (tries == MOST_TRIES) {
          throw unanswered;
        }
      }
    }
  }

  /** Follows all Jobs, with one watch after the other. */
  void watch(BooleanSupplier goesOn) throws InterruptedException {
    while (goesOn.getAsBoolean()) {
      try (TestedApi api = server.connect(HttpClient.Version.HTTP_1_1)) {
        int code =
            api.watch(
                JOBS
                    + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=%d&resourceVersion=%s"
                        .formatted(WATCH_SECONDS, revision),
                this::onLine);
        if (code != 200) {
          throw new IOException("the status code was " + code);
        }
      } catch (IOException failed) {
        if (goesOn.getAsBoolean()) {
          tracker.onFault("a watch failed: " + failed);
          Thread.sleep(100);
        }
      }
    }
  }

  private void onLine(ObjectNode line) {
    JsonNode object = line.path("object");
    String job = object.path("metadata").path("name").asString("");
    switch (line.path("type").asString("")) {
      case "ADDED", "MODIFIED" -> onStatus(job, object.path("status"));
      case "DELETED" -> tracker.onDeleted(job, System.nanoTime());
      case "BOOKMARK" -> {}
      default -> {
        tracker.onFault("a watch ended with " + line);
        revision = "0";
        return;
      }
    }
    revision = object.path("metadata").path("resourceVersion").asString(revision);
  }

  private void onStatus(String job, JsonNode status) {
    for (JsonNode condition : status.path("conditions")) {
      if (condition.path("status").asString("").equals("True")) {
        switch (condition.path("type").asString("")) {
          case "Complete" -> tracker.onComplete(job, System.nanoTime());
          case "Failed" -> tracker.onFailed(job, condition.path("message").asString(""));
          default -> {}
        }
      }
    }
  }

  /** Asks for readiness each second, on a new connection each time. */
  void probe(BooleanSupplier goesOn) throws InterruptedException {
    while (goesOn.getAsBoolean()) {
      try (TestedApi api = server.connect(HttpClient.Version.HTTP_1_1)) {
        long start = System.nanoTime();
        boolean isReady = api.isReady();
        probes.add(System.nanoTime() - start);
        if (!isReady && goesOn.getAsBoolean()) {
          tracker.onFault("the server was not ready");
        }
      } catch (IOException noToken) {
        tracker.onFault("no client: " + noToken);
      }
      Thread.sleep(1000);
    }
  }

  /** Returns the number of Jobs, pods and events. */
  double objects() throws IOException, InterruptedException {
    try (TestedApi api = server.connect(HttpClient.Version.HTTP_1_1)) {
      return count(api, JOBS) + count(api, "/api/v1/pods") + count(api, "/api/v1/events");
    }
  }

  private static double count(TestedApi api, String path) throws IOException, InterruptedException {
    JsonNode list = api.send("GET", path + "?limit=1", "").body();
    return list.path("items").size() + list.path("metadata").path("remainingItemCount").asInt(0);
  }
}
