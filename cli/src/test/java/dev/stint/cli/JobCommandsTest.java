package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/**
 * The commands about Jobs with a data directory that no process has open, and a failed Job in it.
 */
class JobCommandsTest {
  @TempDir private static Path directory = Path.of("");

  /** The result of a command. */
  private record Result(int status, List<String> out, List<String> err) {
    ObjectNode json() {
      return Json.parse(String.join("\n", out));
    }
  }

  @BeforeAll
  static void aJobOfWhichOneIndexFails() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("bad.yaml"),
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: bad}
            spec:
              completionMode: Indexed
              completions: 4
              parallelism: 4
              backoffLimitPerIndex: 1
              template:
                spec:
                  restartPolicy: Never
                  containers:
                  - name: main
                    image: unused
                    command: [sh, -c, 'echo "I am $JOB_COMPLETION_INDEX"; test $JOB_COMPLETION_INDEX != 2 || test -e %s']
            """
                .formatted(directory.resolve("lucky")));
    Result run = stint("run", file.toString(), "--pod-failure-backoff", "100ms");
    assertThat(run.status()).as(run.err().toString()).isEqualTo(1);
  }

  private static Result stint(String... args) {
    Recorded recorded = Recorded.of("", Map.of(), false, StandardCharsets.UTF_8);
    List<String> all = new ArrayList<>(List.of(args));
    all.add(1, "--data=" + directory.resolve("data"));
    int status = recorded.run(all.toArray(String[]::new));
    return new Result(status, recorded.out(), recorded.err());
  }

  @Test
  void jobsAreListedAtAGlance() {
    Result ls = stint("ls");
    assertThat(ls.status()).isZero();
    assertThat(ls.out().getFirst()).startsWith("NAME").contains("STATE", "DONE", "LEFT");
    assertThat(ls.out()).anyMatch(line -> line.matches("bad +Failed +3/4 +2 +0 .*"));
    assertThat(ls.err())
        .containsExactly(
            "stint: Jobs in " + directory.resolve("data") + " (no controller is running)");
    Result names = stint("ls", "-A", "-o", "name");
    assertThat(names.out()).contains("job.batch/bad");
    assertThat(names.err()).isEmpty();
    assertThat(stint("ls", "-n", "elsewhere").err())
        .containsExactly(
            "stint: no Jobs in namespace elsewhere of "
                + directory.resolve("data")
                + " (no controller is running)");
  }

  @Test
  void aFailureIsExplained() {
    Result show = stint("show", "job/bad");
    assertThat(show.out())
        .contains("bad in default: Failed (FailedIndexes)")
        .contains(
            "  why: index 2 failed for good: each may be retried 1 time (backoffLimitPerIndex)")
        .anyMatch(line -> line.startsWith("  next: stint rerun bad --failed --data "))
        .anyMatch(line -> line.startsWith("last failure of index 2, attempt 2: exit code 1"))
        .contains("  | I am 2")
        .anyMatch(line -> line.contains("SuccessfulCreate"));
    ObjectNode json = stint("show", "bad", "-o", "json").json();
    assertThat(json.get("failedIndexList").stringValue()).isEqualTo("2");
    assertThat(json.at("/failures/0/exitCode").intValue()).isEqualTo(1);
    assertThat(json.at("/failures/0/logTail/0").stringValue()).isEqualTo("I am 2");
  }

  @Test
  void attemptsAreChosenByIndexNumberAndOutcome() {
    assertThat(stint("attempts", "bad").out()).hasSize(6);
    assertThat(stint("attempts", "bad", "--failed").out()).hasSize(3);
    ObjectNode last =
        stint("attempts", "bad", "--index", "1-2", "--attempt=-1", "-o", "json").json();
    assertThat(last.get("attempts")).hasSize(2);
    assertThat(last.at("/attempts/1/attempt").intValue()).isEqualTo(2);
    assertThat(last.at("/attempts/1/logBytes").intValue()).isEqualTo(7);
    assertThat(stint("attempts", "bad", "--index", "x").err())
        .singleElement()
        .asString()
        .contains("\"x\" is not a list of indexes, such as 3,7-9");
  }

  @Test
  void logLinesNameTheirAttempt() {
    assertThat(stint("logs", "bad").out())
        .containsExactly(
            "[0 #1] I am 0", "[1 #1] I am 1", "[2 #1] I am 2", "[2 #2] I am 2", "[3 #1] I am 3");
    assertThat(stint("logs", "bad", "--by-time").out())
        .containsExactlyInAnyOrder(
            "[0 #1] I am 0", "[1 #1] I am 1", "[2 #1] I am 2", "[2 #2] I am 2", "[3 #1] I am 3")
        .containsSubsequence("[2 #1] I am 2", "[2 #2] I am 2");
    assertThat(stint("logs", "bad", "--index", "3").out()).containsExactly("I am 3");
    assertThat(stint("logs", "bad", "--failed", "--no-prefix", "-f").err())
        .containsExactly(
            "stint: -f cannot select attempts that have not ended; remove --failed and --attempt");
  }

  @Test
  void oneStreamOfALogIsPrintedAlone() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("streams.yaml"),
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: streams}
            spec:
              template:
                spec:
                  restartPolicy: Never
                  containers: [{name: main, image: unused, command: [sh, -c, "echo 1; echo 2 >&2"]}]
            """);
    assertThat(stint("run", file.toString()).status()).isZero();
    assertThat(stint("logs", "streams", "--stdout").out()).containsExactly("1");
    assertThat(stint("logs", "streams", "--stderr").out()).containsExactly("2");
    assertThat(stint("logs", "streams", "--stdout", "--stderr").err())
        .singleElement()
        .asString()
        .contains("mutually exclusive");
  }

  @Test
  void waitingForAFinishedJobEndsAtOnce() {
    Result wait = stint("wait", "bad");
    assertThat(wait.status()).isEqualTo(1);
    assertThat(wait.out()).singleElement().asString().startsWith("bad: Failed in ");
    assertThat(stint("wait", "bad", "--for", "failed").status()).isZero();
  }

  @Test
  void failedIndexesRunAgainAndSuccessesAreKept() throws Exception {
    Files.createFile(directory.resolve("lucky"));
    Result rerun = stint("rerun", "bad", "--failed", "--name", "good", "-o", "json");
    assertThat(rerun.status()).as(rerun.err().toString()).isZero();
    assertThat(rerun.json().at("/status/succeeded").intValue()).isEqualTo(4);
    assertThat(rerun.json().at("/status/completedIndexes").stringValue()).isEqualTo("0-3");
    assertThat(stint("attempts", "good").out()).hasSize(2);
    assertThat(stint("show", "good").out())
        .contains("  from: bad with index 2; the other successes are kept");
    assertThat(stint("rm", "good").out()).containsExactly("good: deleted");
    assertThat(stint("logs", "good").out()).containsExactly("I am 2");
    assertThat(stint("attempts", "good", "-o", "json").json().get("attempts")).hasSize(1);
  }

  @Test
  void aRerunThatRunsHereIsReportedInEachFormat() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("fine.yaml"),
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: fine}
            spec:
              completionMode: Indexed
              completions: 1
              template:
                spec:
                  restartPolicy: Never
                  containers:
                  - {name: main, image: unused, command: ["true"]}
            """);
    assertThat(stint("run", file.toString()).status()).isZero();
    Result yaml = stint("rerun", "fine", "--indexes", "0", "--name", "in-yaml", "-o", "yaml");
    assertThat(yaml.status()).as(yaml.err().toString()).isZero();
    assertThat(yaml.out()).contains("kind: Job", "  name: in-yaml", "  succeeded: 1");
    Result named = stint("rerun", "fine", "--indexes", "0", "--name", "by-name", "-o", "name");
    assertThat(named.status()).as(named.err().toString()).isZero();
    assertThat(named.out()).containsExactly("job.batch/by-name");
  }

  @Test
  void aRerunMayTakeLimitedTime() throws Exception {
    Path gate = directory.resolve("gate-of-slow");
    Path file =
        Files.writeString(
            directory.resolve("slow.yaml"),
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: slow}
            spec:
              completionMode: Indexed
              completions: 1
              backoffLimit: 0
              template:
                spec:
                  restartPolicy: Never
                  containers:
                  - {name: main, image: unused, command: [sh, -c, "test -e %s && exec sleep 600"]}
            """
                .formatted(gate));
    assertThat(stint("run", file.toString()).status()).isEqualTo(1);
    Files.createFile(gate);
    Result rerun = stint("rerun", "slow", "--failed", "--timeout", "300ms");
    assertThat(rerun.status()).as(rerun.err().toString()).isEqualTo(124);
    assertThat(rerun.err())
        .last()
        .asString()
        .isEqualTo(
            "stint: slow-rerun-1: not finished within 300ms; its pods are stopped, and stint up"
                + " --data %s resumes it".formatted(directory.resolve("data")));
    for (String other : List.of("--no-run", "--dry-run", "-o name")) {
      List<String> args = new ArrayList<>(List.of("rerun", "gone", "--failed", "--timeout", "1s"));
      args.addAll(List.of(other.split(" ")));
      assertThat(stint(args.toArray(String[]::new)).err())
          .containsExactly(
              "stint: --timeout and " + other + " exclude each other; remove one of them");
    }
  }

  /** The status of such a pod shows only that it waits; an event says for what. */
  @Test
  void theMissingVolumeOfAWaitingPodIsNamed() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("waits.yaml"),
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: waits}
            spec:
              template:
                spec:
                  restartPolicy: Never
                  volumes: [{name: v, configMap: {name: later}}]
                  containers: [{name: main, image: unused, command: ["true"]}]
            """);
    Result run = stint("run", file.toString(), "--timeout", "3s");
    String missing = "MountVolume.SetUp failed for volume \"v\" : configmap \"later\" not found";
    assertThat(run.err()).anyMatch(line -> line.contains(missing));
    ObjectNode attempts = stint("attempts", "waits", "-o", "json").json();
    assertThat(attempts.at("/attempts/0/message").stringValue()).isEqualTo(missing);
    assertThat(stint("show", "waits").out())
        .anyMatch(line -> line.endsWith("pods are waiting: ContainerCreating: " + missing));
  }

  @Test
  void commandsReportThatNoControllerIsRunning() {
    assertThat(stint("rerun", "bad", "--indexes", "0,2", "--name", "made", "--no-run").status())
        .isZero();
    assertThat(stint("wait", "made").err())
        .singleElement()
        .asString()
        .contains("no controller is running");
    assertThat(stint("suspend", "made").out())
        .containsExactly("made: suspended; its pods are being stopped");
    assertThat(stint("resume", "made").out()).containsExactly("made: resumed");
    assertThat(stint("cancel", "made", "--reason", "a mistake").status()).isZero();
    assertThat(stint("show", "made").out())
        .contains("made in default: Failing (Cancelled)")
        .contains("  why: cancelled by stint cancel: a mistake");
    assertThat(stint("rm", "made").err())
        .containsExactly("stint: made is not finished; cancel it first, or delete it with --force");
    assertThat(stint("rm", "made", "--force").status()).isZero();
  }

  @Test
  void aDryRunNamesOldJobs() {
    assertThat(stint("gc", "--older-than", "0s", "--only", "failed", "--dry-run").out())
        .contains("bad: would be deleted");
    assertThat(stint("gc", "--older-than", "7d").err()).containsExactly("stint: no such Jobs");
  }

  @Test
  void missingJobsAndDirectoriesAreReported() {
    Result none = stint("show", "nope");
    assertThat(none.status()).isEqualTo(2);
    assertThat(none.err()).singleElement().asString().contains("no Job \"nope\"");
    assertThat(stint("logs", "../bad").status()).isEqualTo(2);
    Recorded nowhere = Recorded.plain();
    Path missing = directory.resolve("missing");
    assertThat(nowhere.run("ls", "--data", missing.toString())).isEqualTo(2);
    assertThat(nowhere.err()).singleElement().asString().contains("does not exist");
    assertThat(missing).doesNotExist();
  }

  @Test
  void aListBecomesAJobWithAnIndexForEachLine() throws IOException {
    Path list = Files.writeString(directory.resolve("list"), "alpha\n\nit's $(beta)\n");
    Result dry = stint("run", "--each", list.toString(), "--dry-run", "--", "echo", "got {}");
    assertThat(dry.out()).contains("kind: ConfigMap", "kind: Job", "  completions: 2");
    Result refused = stint("run", "--retries", "2", list.toString());
    assertThat(refused.err()).singleElement().asString().contains("--retries requires --each");
  }
}
