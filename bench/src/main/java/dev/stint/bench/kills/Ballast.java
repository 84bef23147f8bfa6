package dev.stint.bench.kills;

import dev.stint.bench.disk.Directories;
import dev.stint.bench.robustness.TestedApi;
import dev.stint.bench.robustness.UpApi;
import dev.stint.model.Json;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Suspended Jobs in a data directory before it is used, so that a start has much to read. They are
 * there in the end as they were.
 */
final class Ballast {
  private static final String NAMESPACES = "/api/v1/namespaces";
  private static final String JOBS = "/apis/batch/v1/namespaces/ballast/jobs";
  private static final int BYTES = 4000;
  private static final int PAGE = 200;
  private static final int POLL_MILLIS = 100;

  private final Path data;
  private final Map<String, String> versions;

  private Ballast(Path data, Map<String, String> versions) {
    this.data = data;
    this.versions = versions;
  }

  /** Returns one that does nothing. */
  static Ballast none() {
    return new Ballast(Path.of("none"), Map.of());
  }

  /** Makes a data directory with this number of Jobs, by a server that is killed in the end. */
  static Ballast make(Path stint, Path directory, int jobs)
      throws IOException, InterruptedException {
    Directories.deleteAll(directory);
    Files.createDirectories(directory);
    UpApi server = UpApi.of(directory.resolve("data"));
    Process up = up(stint, server, directory.resolve("output"));
    try {
      server.awaitReady(up::isAlive);
      try (TestedApi api = server.connect(HttpClient.Version.HTTP_1_1)) {
        create(api, jobs);
        return new Ballast(server.data(), settled(api));
      }
    } finally {
      up.destroyForcibly().waitFor();
    }
  }

  private static Process up(Path stint, UpApi server, Path output) throws IOException {
    List<String> command = new ArrayList<>(List.of(stint.toString(), "up"));
    command.addAll(List.of("--data", server.data().toString(), "--listen", server.address()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private static void create(TestedApi api, int jobs) throws IOException, InterruptedException {
    send(api, NAMESPACES, Json.parse("{\"metadata\": {\"name\": \"ballast\"}}"));
    for (int i = 0; i < jobs; i++) {
      ObjectNode job =
          Json.parse(
              """
              {"metadata": {"annotations": {}}, "spec": {"suspend": true, "template": {"spec": {
                 "restartPolicy": "Never",
                 "containers": [{"name": "main", "image": "none", "command": ["true"]}]}}}}
              """);
      job.withObject("metadata").put("name", "ballast-" + i);
      job.withObject("/metadata/annotations").put("weight", "x".repeat(BYTES));
      send(api, JOBS, job);
    }
  }

  private static void send(TestedApi api, String path, ObjectNode object)
      throws IOException, InterruptedException {
    TestedApi.Reply reply = api.send("POST", path, object.toString());
    if (reply.code() != 201) {
      throw new IOException("no ballast: " + reply);
    }
  }

  /** Waits until the controllers have written all that they have to. */
  private static Map<String, String> settled(TestedApi api)
      throws IOException, InterruptedException {
    List<JsonNode> jobs = list(api);
    while (!jobs.stream().allMatch(job -> job.path("status").has("conditions"))) {
      Thread.sleep(POLL_MILLIS);
      jobs = list(api);
    }
    return versions(jobs);
  }

  /** Returns all Jobs, which are too many for one answer of a server that has just started. */
  private static List<JsonNode> list(TestedApi api) throws IOException, InterruptedException {
    List<JsonNode> jobs = new ArrayList<>();
    String next = "";
    do {
      TestedApi.Reply reply = api.send("GET", JOBS + "?limit=" + PAGE + next, "");
      if (reply.code() != 200) {
        throw new IOException("no list: " + reply);
      }
      reply.body().path("items").forEach(jobs::add);
      String token = reply.body().path("metadata").path("continue").asString("");
      next = token.isEmpty() ? "" : "&continue=" + token;
    } while (!next.isEmpty());
    return jobs;
  }

  private static Map<String, String> versions(List<JsonNode> jobs) {
    Map<String, String> versions = new TreeMap<>();
    for (JsonNode job : jobs) {
      JsonNode metadata = job.path("metadata");
      versions.put(
          metadata.path("name").asString(),
          metadata.path("uid").asString() + "/" + metadata.path("resourceVersion").asString());
    }
    return versions;
  }

  boolean isNone() {
    return versions.isEmpty();
  }

  /** Puts it in a new data directory. */
  void copyTo(Path other) throws IOException, InterruptedException {
    if (!isNone()) {
      // Keeps the modes of files, which a start checks.
      int status =
          new ProcessBuilder("cp", "-a", data.toString(), other.toString())
              .inheritIO()
              .start()
              .waitFor();
      if (status != 0) {
        throw new IOException("no copy of " + data);
      }
    }
  }

  /** Returns what is wrong with it in a server. */
  List<String> differences(UpApi server) throws IOException, InterruptedException {
    if (isNone()) {
      return List.of();
    }
    try (TestedApi api = server.connect(HttpClient.Version.HTTP_1_1)) {
      Map<String, String> found = versions(list(api));
      return found.equals(versions)
          ? List.of()
          : List.of(
              "%d of %d Jobs of the ballast are there, or they have changed"
                  .formatted(found.size(), versions.size()));
    }
  }
}
