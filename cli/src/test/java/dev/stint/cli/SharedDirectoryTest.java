package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Several commands at once in one data directory. Takes longer than others: each test starts a
 * handful of processes.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class SharedDirectoryTest {
  @TempDir private Path directory;
  private final List<StintProcess> started = new ArrayList<>();

  @AfterEach
  void end() throws InterruptedException {
    for (StintProcess each : started) {
      each.kill();
    }
  }

  private String data() {
    return "--data=" + directory.resolve("data");
  }

  /** Writes a Job of two indexes, which tell that they began, and end once there is a file "go". */
  private Path job(String name) throws IOException {
    return Files.writeString(
        directory.resolve(name + ".yaml"),
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: NAME}
        spec:
          completions: 2
          parallelism: 2
          completionMode: Indexed
          backoffLimit: 0
          template:
            spec:
              restartPolicy: Never
              terminationGracePeriodSeconds: 1
              containers:
              - name: main
                image: unused
                command: [sh, -c, 'cd DIR; echo "begin $JOB_COMPLETION_INDEX $TERMINAL" >> NAME.txt; until [ -e go ] || [ -e go-NAME ]; do sleep 0.3; done; echo "end $JOB_COMPLETION_INDEX" >> NAME.txt']
        """
            .replace("NAME", name)
            .replace("DIR", directory.toString()));
  }

  private StintProcess start(String... args) throws IOException {
    return start(Map.of(), args);
  }

  private StintProcess start(Map<String, String> variables, String... args) throws IOException {
    StintProcess process = StintProcess.start(directory, variables, args);
    started.add(process);
    return process;
  }

  /** Starts a Job, and waits until both of its indexes have begun. */
  private StintProcess begin(String name) throws IOException {
    int before = lines(name).size();
    StintProcess run = start(Map.of("TERMINAL", name), "run", job(name).toString(), data());
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> lines(name).size() == before + 2 || !run.alive());
    assertThat(run.alive()).as(run.err()).isTrue();
    return run;
  }

  private List<String> lines(String name) throws IOException {
    Path file = directory.resolve(name + ".txt");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private void go(String... names) throws IOException {
    Files.createFile(directory.resolve("go" + (names.length == 0 ? "" : "-" + names[0])));
  }

  private List<String> stint(String... args) {
    Recorded recorded = Recorded.plain();
    assertThat(recorded.run(args)).as(recorded.err().toString()).isZero();
    return recorded.out();
  }

  private void awaitState(String name, String state) {
    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(300)) // Each time is a connection of its own.
        .until(() ->
            stint("ls", data()).stream()
                .anyMatch(line -> line.matches(name + " +" + state + " .*")));
  }

  private void assertCompletes(StintProcess run, String name) throws Exception {
    assertThat(run.exitStatus()).as(run.err()).isZero();
    assertThat(run.err()).contains(name + ": Complete").contains("2 of 2 succeeded");
  }

  private void assertEachEndedOnce(String name) throws IOException {
    assertThat(lines(name)).contains("end 0", "end 1");
    assertThat(lines(name).stream().filter(line -> line.startsWith("end"))).hasSize(2);
  }

  @Test
  void fiveRunsAtOnceShareOneDirectory() throws Exception {
    List<StintProcess> runs = new ArrayList<>();
    for (String name : List.of("a", "b", "c", "d", "e")) {
      runs.add(start(Map.of("TERMINAL", name), "run", job(name).toString(), data()));
    }
    for (String name : List.of("a", "b", "c", "d", "e")) {
      await().atMost(Duration.ofMinutes(1)).until(() -> lines(name).size() == 2);
      awaitState(name, "Running");
    }
    go();
    for (int i = 0; i < 5; i++) {
      String name = "abcde".substring(i, i + 1);
      assertCompletes(runs.get(i), name);
      assertEachEndedOnce(name);
      assertThat(lines(name)).contains("begin 0 " + name, "begin 1 " + name);
    }
  }

  @Test
  void ctrlCOfOneInterruptsItsJobsOnly() throws Exception {
    StintProcess first = begin("a");
    StintProcess second = begin("b");
    second.signal("INT");
    assertThat(second.exitStatus()).as(second.err()).isEqualTo(130);
    assertThat(second.err()).contains("b: interrupted; its pods are stopped");
    awaitState("a", "Running");
    awaitState("b", "Interrupted");
    assertThat(stint("show", "b", data()))
        .contains("b in default: Interrupted")
        .contains("  why: it was interrupted: its pods are stopped, and its successes are kept");
    StintProcess again = begin("b");
    go();
    assertCompletes(first, "a");
    assertCompletes(again, "b");
    assertEachEndedOnce("a");
    assertEachEndedOnce("b");
  }

  @Test
  void theHolderEndsFirstAndNobodyNotices() throws Exception {
    StintProcess first = begin("a");
    StintProcess second = begin("b");
    StintProcess third = begin("c");
    StintProcess waits = start("wait", "c", data());
    StintProcess follows = start("logs", "-f", "c", data());
    go("a");
    assertCompletes(first, "a");
    awaitState("b", "Running");
    go("b");
    assertCompletes(second, "b");
    awaitState("c", "Running");
    go("c");
    assertCompletes(third, "c");
    assertThat(waits.exitStatus()).as(waits.err()).isZero();
    assertThat(follows.exitStatus()).as(follows.err()).isZero();
    for (String name : List.of("a", "b", "c")) {
      assertEachEndedOnce(name);
      assertThat(lines(name)).hasSize(4);
    }
  }

  @Test
  void ctrlCOfTheHolderLeavesTheJobsOfOthers() throws Exception {
    StintProcess first = begin("a");
    StintProcess second = begin("b");
    first.signal("INT");
    assertThat(first.exitStatus()).as(first.err()).isEqualTo(130);
    awaitState("a", "Interrupted");
    awaitState("b", "Running");
    StintProcess again = begin("a");
    go();
    assertCompletes(second, "b");
    assertCompletes(again, "a");
    assertThat(lines("b")).hasSize(4);
    assertEachEndedOnce("a");
  }

  @Test
  void aKilledHolderLosesNothing() throws Exception {
    StintProcess first = begin("a");
    StintProcess second = begin("b");
    first.kill();
    awaitState("b", "Running");
    StintProcess again = start("run", job("a").toString(), data());
    await().atMost(Duration.ofMinutes(1)).until(() -> again.err().contains("a: resumed"));
    go();
    assertCompletes(second, "b");
    assertCompletes(again, "a");
    assertThat(lines("a")).hasSize(4);
    assertThat(lines("b")).hasSize(4);
  }

  @Test
  void aKilledGuestLosesNothing() throws Exception {
    StintProcess first = begin("a");
    StintProcess second = begin("b");
    second.kill();
    awaitState("b", "Interrupted");
    StintProcess again = start("run", job("b").toString(), data());
    await().atMost(Duration.ofMinutes(1)).until(() -> again.err().contains("b: resumed"));
    go();
    assertCompletes(first, "a");
    assertCompletes(again, "b");
    assertThat(lines("b")).hasSize(4);
  }

  @Test
  void whoWaitsForTheJobOfAKilledGuestLearnsOfIt() throws Exception {
    StintProcess first = begin("a");
    StintProcess second = begin("b");
    StintProcess waits = start("wait", "b", data());
    StintProcess follows = start("logs", "-f", "b", data());
    second.kill();
    assertThat(waits.exitStatus()).isEqualTo(2);
    assertThat(waits.err()).contains("b would never finish");
    assertThat(follows.exitStatus()).as(follows.err()).isZero();
    assertThat(follows.err()).contains("b: the command that ran it has ended");
    go();
    assertCompletes(first, "a");
  }

  @Test
  void theJobOfAKilledGuestCanBeSuspended() throws Exception {
    StintProcess first = begin("a");
    begin("b").kill();
    awaitState("b", "Interrupted");
    stint("suspend", "b", data());
    awaitState("b", "Suspended");
    StintProcess again = begin("b");
    go();
    assertCompletes(first, "a");
    assertCompletes(again, "b");
    assertEachEndedOnce("b");
  }

  @Test
  void theJobOfAKilledGuestCanBeCancelled() throws Exception {
    StintProcess first = begin("a");
    begin("b").kill();
    awaitState("b", "Interrupted");
    stint("cancel", "b", data());
    awaitState("b", "Failed");
    go();
    assertCompletes(first, "a");
    assertThat(lines("b")).as("its pods were ended").hasSize(2);
  }

  @Test
  void otherCommandsWorkMeanwhile() throws Exception {
    StintProcess first = begin("a");
    StintProcess second = begin("b");
    stint("suspend", "b", data());
    awaitState("b", "Suspended");
    stint("resume", "b", data());
    await().atMost(Duration.ofMinutes(1)).until(() -> lines("b").size() == 4);
    assertThat(stint("attempts", "b", data())).isNotEmpty();
    stint("cancel", "b", data());
    assertThat(second.exitStatus()).as(second.err()).isEqualTo(1);
    StintProcess third = begin("c");
    stint("rm", "c", "--force", data());
    assertThat(third.exitStatus()).as(third.err()).isEqualTo(1);
    assertThat(third.err()).contains("c: was deleted before it finished");
    go();
    assertCompletes(first, "a");
  }

  @Test
  void whatCanNotBeJoinedIsRefusedInOneLine() throws Exception {
    StintProcess first = begin("a");
    StintProcess same = start("run", job("a").toString(), data());
    assertThat(same.exitStatus()).isEqualTo(2);
    assertThat(same.err())
        .isEqualTo(
            "stint: Job \"a\" is already being run by stint run (pid %d); stint wait a waits for it\n"
                .formatted(first.pid()));
    StintProcess runtime = start("run", job("b").toString(), data(), "--runtime", "simulated");
    assertThat(runtime.exitStatus()).isEqualTo(2);
    assertThat(runtime.err())
        .startsWith("stint: " + directory.resolve("data") + " is in use by stint run (pid ")
        .contains("runs pods with --runtime process, not simulated")
        .hasLineCount(1);
    StintProcess flags = start("run", job("c").toString(), data(), "--max-pods", "3");
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> flags.err().contains("its options apply") || !flags.alive());
    go();
    assertCompletes(flags, "c");
    assertThat(flags.err()).contains("its options apply to all pods, not --max-pods");
    assertCompletes(first, "a");
  }

  @Test
  void whatTheHolderOffersDecidesWhetherAJobFits() throws Exception {
    StintProcess first =
        start(
            "run",
            job("a").toString(),
            data(),
            "--device=example.com/license=4",
            "--machine-cpu=0.5");
    await().atMost(Duration.ofMinutes(1)).until(() -> lines("a").size() == 2 || !first.alive());
    StintProcess large = start("run", requesting("b", "cpu: 1").toString(), data());
    assertThat(large.exitStatus()).isEqualTo(2);
    assertThat(large.err()).contains("insufficient cpu: the pod requests 1, this machine has 0.5");
    StintProcess second =
        start("run", requesting("c", "example.com/license: 1").toString(), data());
    await().atMost(Duration.ofMinutes(1)).until(() -> lines("c").size() == 2 || !second.alive());
    go();
    assertCompletes(second, "c");
    assertCompletes(first, "a");
  }

  private Path requesting(String name, String limits) throws IOException {
    Path file = job(name);
    return Files.writeString(
        file,
        Files.readString(file)
            .replace(
                "image: unused", "image: unused\n        resources: {limits: {" + limits + "}}"));
  }

  @Test
  void aServerTakesTheDirectoryOverFromRuns() throws Exception {
    StintProcess first = begin("a");
    StintProcess second = begin("b");
    StintProcess third = begin("c");
    StintProcess up = start("up", "--listen", "127.0.0.1:0", data());
    await().atMost(Duration.ofMinutes(1)).until(() -> up.out().contains("Serving") || !up.alive());
    assertThat(up.err()).contains(" hands " + directory.resolve("data") + " over");
    for (String name : List.of("a", "b", "c")) {
      awaitState(name, "Running");
    }
    go();
    assertCompletes(first, "a");
    assertCompletes(second, "b");
    assertCompletes(third, "c");
    for (String name : List.of("a", "b", "c")) {
      assertThat(lines(name)).hasSize(4);
    }
    StintProcess other = start("up", "--listen", "127.0.0.1:0", data());
    assertThat(other.exitStatus()).isEqualTo(2);
    assertThat(other.err()).contains("is in use by").contains("stint up").hasLineCount(1);
    up.signal("INT");
    assertThat(up.exitStatus()).as(up.err()).isEqualTo(130);
  }

  @Test
  void aRunJoinsAServer() throws Exception {
    StintProcess up = start("up", "--listen", "127.0.0.1:0", data());
    await().atMost(Duration.ofMinutes(1)).until(() -> up.out().contains("Serving") || !up.alive());
    StintProcess run = begin("a");
    StintProcess other = begin("b");
    assertThat(lines("a")).contains("begin 0 a", "begin 1 a");
    other.signal("INT");
    assertThat(other.exitStatus()).as(other.err()).isEqualTo(130);
    awaitState("b", "Interrupted");
    up.signal("INT");
    assertThat(up.exitStatus()).as(up.err()).isEqualTo(130);
    awaitState("a", "Running");
    go();
    assertCompletes(run, "a");
    assertThat(lines("a")).hasSize(4);
  }
}
