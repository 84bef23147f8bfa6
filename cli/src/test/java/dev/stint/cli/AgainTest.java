package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The same {@code stint run} again, after a failure, a success and a kill. */
@Execution(ExecutionMode.CONCURRENT)
class AgainTest {
  @TempDir private Path directory;

  private List<String> args(String... flags) {
    List<String> args =
        new ArrayList<>(List.of("run", "--data", directory.resolve("data").toString(), "--each"));
    args.add(directory.resolve("list.txt").toString());
    args.addAll(List.of(flags));
    return args;
  }

  private static String[] with(List<String> args, String... command) {
    return Stream.concat(Stream.concat(args.stream(), Stream.of("--")), Stream.of(command))
        .toArray(String[]::new);
  }

  private void list(String... lines) throws IOException {
    Files.write(directory.resolve("list.txt"), List.of(lines));
  }

  /** Returns the lines for which the command ran since the last call. */
  private List<String> ran() throws IOException {
    Path trace = directory.resolve("trace");
    List<String> lines = Files.exists(trace) ? Files.readAllLines(trace) : List.of();
    Files.deleteIfExists(trace);
    return lines.stream().sorted().toList();
  }

  @Test
  void whatHasSucceededDoesNotRunAgain() throws Exception {
    String[] command = {
      "sh",
      "-c",
      "echo $1 >> "
          + directory.resolve("trace")
          + "; [ $1 != bad ] || [ -e "
          + directory.resolve("ok")
          + " ]",
      "sh",
      "{}"
    };
    list("a", "bad", "c");
    Recorded first = Recorded.plain();
    assertThat(first.run(with(args(), command))).isEqualTo(1);
    assertThat(first.errText())
        .contains("the same command runs only the lines that have not succeeded");
    assertThat(ran()).containsExactly("a", "bad", "c");
    Files.createFile(directory.resolve("ok"));
    list("new", "c", "bad");
    Recorded second = Recorded.plain();
    assertThat(second.run(with(args(), command))).isZero();
    assertThat(second.errText())
        .contains(
            "1 of 3 lines succeeded before; runs the other 2 (--fresh runs all); the list has"
                + " changed: 1 line is new, 1 line is not in the list now")
        .contains("3 of 3 succeeded");
    assertThat(ran()).containsExactly("bad", "new");
    Recorded third = Recorded.plain();
    assertThat(third.run(with(args(), command))).isZero();
    assertThat(third.errText()).contains("all 3 lines succeeded before; --fresh runs them again");
    assertThat(ran()).isEmpty();
  }

  @Test
  void aJobThatGoesOnWithAChangedConfigMapSaysSo() throws Exception {
    Path file = directory.resolve("job.yaml");
    Path data = directory.resolve("data");
    Files.writeString(file, rate("0.1"));
    StintProcess killed =
        StintProcess.start(directory, "run", "--data", data.toString(), file.toString());
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.exists(directory.resolve("trace")) || !killed.alive());
    killed.kill();
    Files.createFile(directory.resolve("go"));
    Files.writeString(file, rate("0.01"));
    Recorded again = Recorded.plain();
    assertThat(again.run("run", "--data", data.toString(), file.toString())).isZero();
    assertThat(again.errText())
        .contains(
            "rate: ConfigMaps or Secrets of its files have changed, and only pods that start");
  }

  private String rate(String value) {
    return """
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: params}
    data: {rate: "%s"}
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: rate}
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
          - name: main
            image: unused
            envFrom: [{configMapRef: {name: params}}]
            command: [sh, -c, "echo $rate >>%s; while [ ! -e %s ]; do sleep 0.05; done"]
    """
        .formatted(value, directory.resolve("trace"), directory.resolve("go"));
  }

  @Test
  void aKilledListGoesOnWithMoreAtOnce() throws Exception {
    String[] command = {
      "sh",
      "-c",
      "echo $1 >> %s; while [ ! -e %s ]; do sleep 0.05; done"
          .formatted(directory.resolve("trace"), directory.resolve("go")),
      "sh",
      "{}"
    };
    list("1", "2", "3", "4");
    StintProcess killed =
        StintProcess.start(directory, with(args("--name", "x", "--parallel", "1"), command));
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.exists(directory.resolve("trace")) || !killed.alive());
    killed.kill();
    Recorded set = Recorded.plain();
    set.run("set", "x", "--parallel=2", "--data=" + directory.resolve("data"));
    assertThat(set.out()).containsExactly("x: parallelism 1 → 2");
    Files.createFile(directory.resolve("go"));
    StintProcess again =
        StintProcess.run(directory, with(args("--name", "x", "--parallel", "4"), command));
    assertThat(again.exitStatus()).as(again.err()).isZero();
    assertThat(again.err()).contains("x: parallelism 2 → 4", "x: resumed, ");
    assertThat(ran()).containsExactly("1", "2", "3", "4");
  }
}
