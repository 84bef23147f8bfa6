package dev.stint.bench.kills;

import dev.stint.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * The logs of a Job, as they lie in the data directory.
 *
 * @param files the texts of the logs
 * @param succeeded the indexes of the attempts that are recorded as succeeded, one for each. A kill
 *     between the record and the status of the pod may record an end twice, which counts once.
 * @param unreadable lines of the record of attempts that are not whole
 */
record JobLogs(List<String> files, List<Integer> succeeded, List<String> unreadable) {

  static JobLogs read(Path data, String name) throws IOException {
    Path directory = data.resolve("logs/default").resolve(name);
    List<String> files = new ArrayList<>();
    List<Integer> succeeded = new ArrayList<>();
    List<String> unreadable = new ArrayList<>();
    if (Files.exists(directory)) {
      try (Stream<Path> all = Files.walk(directory)) {
        for (Path each : all.filter(file -> file.toString().endsWith(".stdout")).toList()) {
          files.add(Files.readString(each));
        }
      }
    }
    Path record = directory.resolve("_attempts.jsonl");
    Set<String> ends = new HashSet<>();
    for (String line : Files.exists(record) ? Files.readAllLines(record) : List.<String>of()) {
      try {
        ObjectNode attempt = Json.parse(line);
        boolean isNew = ends.add(attempt.path("uid") + "/" + attempt.path("attempt"));
        if (isNew && attempt.path("exitCode").asInt(-1) == 0) {
          succeeded.add(attempt.path("index").asInt());
        }
      } catch (JacksonException torn) {
        unreadable.add(line);
      }
    }
    return new JobLogs(files, succeeded, unreadable);
  }
}
