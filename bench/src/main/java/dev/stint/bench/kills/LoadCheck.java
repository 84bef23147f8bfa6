package dev.stint.bench.kills;

import dev.stint.bench.robustness.TestedApi;
import dev.stint.bench.robustness.UpApi;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Waits until all Jobs of a client have ended, and compares them with what the client knows. */
final class LoadCheck {
  private static final long TIMEOUT_SECONDS = 60;
  private static final int POLL_MILLIS = 50;

  private final UpApi server;
  private final JobClient client;
  private final JobFile file;
  private final boolean wasDiskFull;
  private final List<String> violations = new ArrayList<>();

  private LoadCheck(UpApi server, JobClient client, JobFile file, boolean wasDiskFull) {
    this.server = server;
    this.client = client;
    this.file = file;
    this.wasDiskFull = wasDiskFull;
  }

  /**
   * Checks the Jobs of a server that works.
   *
   * @param wasDiskFull true if the server may have ended by itself for that, which ends its pods
   * @param finished returns, by index of a Job, how many attempts had begun when the index had
   *     finished for certain
   * @return what is wrong
   */
  static List<String> violations(
      UpApi server,
      JobClient client,
      JobFile file,
      boolean wasDiskFull,
      Function<String, Map<Integer, Integer>> finished)
      throws IOException, InterruptedException {
    LoadCheck check = new LoadCheck(server, client, file, wasDiskFull);
    check.check(check.ended(), finished);
    return check.violations;
  }

  private JsonNode ended() throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    try (TestedApi api = server.connect(HttpClient.Version.HTTP_1_1)) {
      while (true) {
        JsonNode jobs = client.list(api);
        client.see(jobs);
        if (jobs.valueStream().allMatch(LoadCheck::hasEnded)) {
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

  private void check(JsonNode jobs, Function<String, Map<Integer, Integer>> finished)
      throws IOException {
    violations.addAll(client.violations());
    violations.addAll(client.ledger().differences(jobs));
    jobs.forEach(this::checkStatus);
    List<String> present =
        jobs.valueStream().map(job -> job.path("metadata").path("name").asString()).toList();
    for (String job : client.ledger().jobs()) {
      Map<Integer, List<RecordedAttempt>> attempts = file.attempts(job);
      JobLogs logs = JobLogs.read(server.data(), job);
      if (present.contains(job)) {
        Map<Integer, Integer> known = finished.apply(job);
        client.finished(job).forEach((index, begun) -> known.merge(index, begun, Math::min));
        violations.addAll(
            WorkLaws.ofComplete(job, file.lines(), wasDiskFull, attempts, known, logs));
      } else {
        violations.addAll(WorkLaws.ofDeleted(job, file.lines(), wasDiskFull, attempts, logs));
      }
    }
  }

  private void checkStatus(JsonNode job) {
    JsonNode status = job.path("status");
    if (status.path("succeeded").asInt(0) != file.completions()
        || status.path("failed").asInt(0) != 0) {
      violations.add("a Job is not complete, or has failures: " + job);
    }
  }
}
