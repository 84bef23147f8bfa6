package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * SIGTERM to Stint, its shims and its commands at once, in a random order: as a service manager
 * stops a service, and as a session ends. {@code -Dstint.stops=100} repeats it. Each repetition
 * starts three processes.
 */
class StopOfAllTest {
  private static final int STOPS = Integer.getInteger("stint.stops", 1);
  private static final int INDEXES = 4;

  @TempDir private Path directory;

  @Test
  void indexesThatASignalToAllProcessesEndsDoNotCount() throws Exception {
    long seed = Long.getLong("stint.stops.seed", System.nanoTime());
    System.out.println("StopOfAllTest: -Dstint.stops.seed=" + seed);
    Random order = new Random(seed);
    for (int i = 0; i < STOPS; i++) {
      stopRunAndUp(Files.createDirectory(directory.resolve(String.valueOf(i))), order);
    }
  }

  private static void stopRunAndUp(Path place, Random order) throws Exception {
    Map<String, String> shim = compiledShim(place);
    String file = job(place, !shim.isEmpty()).toString();
    String data = "--data=" + place.resolve("data");
    stopOnceBegun(StintProcess.start(place, shim, "run", file, data), place, order);
    String listen = "--listen=127.0.0.1:0";
    stopOnceBegun(StintProcess.start(place, shim, "up", listen, data), place, order);
    Files.createFile(place.resolve("go"));
    StintProcess last = StintProcess.start(place, shim, "run", file, data, "-o", "json");
    assertThat(last.exitStatus()).as(last.err()).isZero();
    JsonNode status = Json.parse(last.out()).path("status");
    assertThat(status.path("succeeded").intValue()).isEqualTo(INDEXES);
    assertThat(status.path("failed").asInt(0)).isZero();
  }

  /** Compiles the shim, as the launcher does, and returns the variable that names it. */
  private static Map<String, String> compiledShim(Path place) throws Exception {
    String shim = place.resolve("stint-shim").toString();
    List<String> compile =
        List.of("sh", "-c", "cc -O1 -o '" + shim + "' ../runner/src/main/c/shim.c");
    return new ProcessBuilder(compile).start().waitFor() == 0
        ? Map.of("JDK_JAVA_OPTIONS", "-Dstint.shim=" + shim)
        : Map.of();
  }

  private static void stopOnceBegun(StintProcess stint, Path place, Random order) throws Exception {
    await().atMost(Duration.ofMinutes(2)).until(() -> begun(place) == INDEXES || !stint.alive());
    try (Stream<Path> files = Files.list(place)) {
      for (Path begun : files.filter(StopOfAllTest::isBegun).toList()) {
        Files.delete(begun);
      }
    }
    stint.signalAll("TERM", order);
    assertThat(stint.exitStatus()).as(stint.err()).isEqualTo(143);
  }

  private static long begun(Path place) throws IOException {
    try (Stream<Path> files = Files.list(place)) {
      return files.filter(StopOfAllTest::isBegun).count();
    }
  }

  private static boolean isBegun(Path file) {
    return file.getFileName().toString().startsWith("begun-");
  }

  /**
   * A Job whose commands fail on SIGTERM, and of which none may fail. A shim waits for a signal of
   * its own for a tenth of its command's time, so the commands take a second before they begin:
   * that leaves {@code kill} 100 ms between two signals on a busy machine.
   *
   * @param all true to let them fail in other ways too, after which a shell as a shim does not wait
   */
  private static Path job(Path place, boolean all) throws IOException {
    return Files.writeString(
        place.resolve("job.yaml"),
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: all}
        spec:
          completions: %d
          parallelism: %d
          completionMode: Indexed
          backoffLimit: 0
          template:
            spec:
              restartPolicy: Never
              containers:
              - name: main
                image: unused
                command:
                - sh
                - -c
                - |
                  cd %s
                  [ $JOB_COMPLETION_INDEX -lt %d ] || trap "exit $JOB_COMPLETION_INDEX" TERM
                  sleep 1
                  touch begun-$JOB_COMPLETION_INDEX
                  while [ ! -e go ]; do sleep 0.1; done
        """
            .formatted(INDEXES, INDEXES, place, all ? 2 : INDEXES));
  }
}
