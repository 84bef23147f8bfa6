package dev.stint.bench.kills;

import dev.stint.bench.kills.JobLedger.Answer;
import dev.stint.bench.robustness.TestedApi;
import dev.stint.bench.robustness.TestedApi.Reply;
import dev.stint.bench.robustness.UpApi;
import dev.stint.model.Json;
import dev.stint.model.index.IndexSet;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A client that creates, changes, deletes and lists Jobs, and writes down what is acknowledged. */
final class JobClient {
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
  private static final int PAUSE_MILLIS = 40;
  private static final int MOST_UNFINISHED = 6;

  private final UpApi server;
  private final JobFile file;
  private final RandomGenerator random;
  private final JobLedger ledger = new JobLedger();
  private final List<String> present = new ArrayList<>();
  private final Map<String, Map<Integer, Integer>> finished = new HashMap<>();
  private final List<String> violations = new ArrayList<>();
  private int created;
  private int counted;
  private int unfinished;

  JobClient(UpApi server, JobFile file, RandomGenerator random) {
    this.server = server;
    this.file = file;
    this.random = random;
  }

  JobLedger ledger() {
    return ledger;
  }

  /** Returns what it saw that must not be. */
  List<String> violations() {
    return violations;
  }

  /** Returns, by index, how many attempts had begun when the client saw the index complete. */
  Map<Integer, Integer> finished(String job) {
    return finished.computeIfAbsent(job, _ -> new HashMap<>());
  }

  /** Sends one request after the other, whether there is a server or not. */
  void run(BooleanSupplier goesOn) throws InterruptedException {
    while (goesOn.getAsBoolean()) {
      try (TestedApi api = server.connect(HttpClient.Version.HTTP_1_1)) {
        while (goesOn.getAsBoolean()) {
          request(api);
          Thread.sleep(random.nextInt(PAUSE_MILLIS));
        }
      } catch (IOException notThere) {
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  private void request(TestedApi api) throws IOException, InterruptedException {
    int choice = random.nextInt(10);
    if (choice < 3) {
      see(list(api));
    } else if (choice < 6 && unfinished < MOST_UNFINISHED) {
      create(api);
    } else if (choice < 8 && !present.isEmpty()) {
      annotate(api, present.get(random.nextInt(present.size())));
    } else if (choice == 8 && !present.isEmpty()) {
      delete(api, present.remove(random.nextInt(present.size())));
    }
  }

  /** Returns all Jobs. */
  JsonNode list(TestedApi api) throws IOException, InterruptedException {
    Reply reply = api.send("GET", JOBS, "");
    if (reply.code() != 200) {
      throw new IOException("no list: " + reply);
    }
    return reply.body().path("items");
  }

  /**
   * Notes which indexes are complete, and what is wrong with the files that indexes have written.
   */
  void see(JsonNode jobs) {
    try {
      noteFinished(jobs);
    } catch (IOException unreadable) {
      violations.add("the files of the indexes: " + unreadable.getMessage());
    }
  }

  private void noteFinished(JsonNode jobs) throws IOException {
    unfinished = 0;
    for (JsonNode job : jobs) {
      String name = job.path("metadata").path("name").asString();
      JsonNode status = job.path("status");
      unfinished += status.has("completionTime") ? 0 : 1;
      IndexSet complete = IndexSet.salvage(status.path("completedIndexes").asString(""));
      file.attempts(name)
          .forEach((index, attempts) -> {
            if (complete.contains(index)) {
              finished(name).putIfAbsent(index, attempts.size());
            }
          });
    }
  }

  private void create(TestedApi api) throws IOException, InterruptedException {
    String name = "job-" + created++;
    try {
      Reply reply = write(api, "POST", JOBS, file.manifest(name));
      if (reply == null) {
        ledger.onCreate(name, null);
      } else {
        ledger.onCreate(name, reply.body().path("metadata").path("uid").asString());
        present.add(name);
      }
      unfinished++;
    } catch (ConnectException neverSent) {
      throw neverSent;
    } catch (IOException unanswered) {
      ledger.onCreate(name, null);
      throw unanswered;
    }
  }

  private void annotate(TestedApi api, String job) throws IOException, InterruptedException {
    int number = ++counted;
    String body =
        "{\"metadata\": {\"annotations\": {\"%s\": \"%d\"}}}".formatted(JobLedger.COUNT, number);
    try {
      Reply reply = write(api, "PATCH", JOBS + "/" + job, body);
      ledger.onCount(job, number, reply == null ? Answer.NONE : Answer.DONE);
    } catch (ConnectException neverSent) {
      throw neverSent;
    } catch (IOException unanswered) {
      ledger.onCount(job, number, Answer.NONE);
      throw unanswered;
    }
  }

  private void delete(TestedApi api, String job) throws IOException, InterruptedException {
    String body =
        Json.object()
            .put("apiVersion", "v1")
            .put("kind", "DeleteOptions")
            .put("propagationPolicy", "Background")
            .toString();
    try {
      Reply reply = write(api, "DELETE", JOBS + "/" + job, body);
      ledger.onDelete(job, reply == null ? Answer.NONE : Answer.DONE);
    } catch (ConnectException neverSent) {
      present.add(job);
      throw neverSent;
    } catch (IOException unanswered) {
      ledger.onDelete(job, Answer.NONE);
      throw unanswered;
    }
  }

  /**
   * Sends a write to a Job that must be there, or that must not be there if it is created.
   *
   * @return null if the server doesn't say whether the write was done
   */
  private @Nullable Reply write(TestedApi api, String method, String path, String body)
      throws IOException, InterruptedException {
    Reply reply = api.send(method, path, body);
    if (reply.code() >= 400 && reply.code() < 500) {
      violations.add("%s of %s was refused: %s".formatted(method, path, reply));
    }
    return reply.code() < 300 ? reply : null;
  }
}
