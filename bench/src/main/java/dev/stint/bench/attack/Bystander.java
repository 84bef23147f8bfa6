package dev.stint.bench.attack;

import java.time.Duration;
import java.util.Optional;

/** Somebody else, in a namespace of their own, whose Jobs must run whatever the attacker does. */
final class Bystander {
  private static final String NAMESPACE = "bystander";
  private static final String JOBS = "/apis/batch/v1/namespaces/" + NAMESPACE + "/jobs";
  private static final String MARKER = "/api/v1/namespaces/" + NAMESPACE + "/configmaps";
  private static final Duration JOB_TIMEOUT = Duration.ofSeconds(90);

  private final AttackedServer target;
  private final String token;

  Bystander(AttackedServer target, String token) {
    this.target = target;
    this.token = token;
  }

  /** Creates the namespace, and an object that must be there after the next start. */
  void begin() throws Exception {
    try (ApiClient client = client()) {
      client.must(
          "POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(NAMESPACE));
      client.must("POST", MARKER, "{\"metadata\":{\"name\":\"marker\"},\"data\":{\"a\":\"b\"}}");
    }
  }

  boolean findsMarker() throws Exception {
    try (ApiClient client = client()) {
      return client.get(MARKER + "/marker").code() == 200;
    }
  }

  private ApiClient client() throws Exception {
    return target.client(RawConnection.BYSTANDER, token);
  }

  /** Runs a Job; returns the time until it is complete, empty if it takes too long. */
  Optional<Duration> runJob(String name) {
    long start = System.nanoTime();
    try (ApiClient client = client()) {
      while (System.nanoTime() - start < JOB_TIMEOUT.toNanos()) {
        client.send("POST", JOBS, job(name));
        ApiClient.Answer answer = client.get(JOBS + "/" + name);
        if (answer.code() == 200 && answer.tree().at("/status/succeeded").asInt(0) == 1) {
          return Optional.of(Duration.ofNanos(System.nanoTime() - start));
        }
        Thread.sleep(100);
      }
    } catch (Exception unreachable) {
      System.err.printf("The bystander's Job %s failed: %s%n", name, unreachable);
      return Optional.empty();
    }
    return Optional.empty();
  }

  private static String job(String name) {
    return """
    {"metadata": {"name": "%s"}, "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [
     {"name": "main", "image": "none", "command": ["true"]}]}}}}
    """
        .formatted(name);
  }
}
