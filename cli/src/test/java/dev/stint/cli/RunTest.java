package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.covers.Covers;
import dev.stint.model.Json;
import dev.stint.model.job.JobStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * {@code stint run} with real processes: the command and its pods are processes, and its state is
 * on disk.
 *
 * <p>It is slow because it starts some ten commands, and restarts one of them after each of ten
 * kills.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class RunTest {
  @TempDir private Path directory;

  private Path job(String name, String spec, String script) throws IOException {
    Path file = directory.resolve(name + ".yaml");
    String text =
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
        spec: {%s, template: {spec: {restartPolicy: Never, terminationGracePeriodSeconds: 5, containers: [
          {name: main, image: unused, command: [sh, -c, '%s']}]}}}
        """
            .formatted(name, spec, script);
    return Files.writeString(file, text);
  }

  private String[] args(Path file, String... more) {
    return Stream.concat(
            Stream.of("run", file.toString(), "--data", directory.resolve("data").toString()),
            Stream.of(more))
        .toArray(String[]::new);
  }

  private StintProcess run(Path file, String... more) throws Exception {
    return StintProcess.run(directory, args(file, more));
  }

  private StintProcess start(Path file, String... more) throws IOException {
    return StintProcess.start(directory, args(file, more));
  }

  /** Runs a command in this process: most of what it does needs none of its own. */
  private Recorded runHere(int status, Path file, String... more) {
    Recorded recorded = Recorded.plain();
    assertThat(recorded.run(args(file, more))).as(recorded.errText()).isEqualTo(status);
    return recorded;
  }

  private static JobStatus status(StintProcess process) {
    return JobStatus.read(Json.parse(process.out()).get("status").asObject());
  }

  private List<String> trace() throws IOException {
    Path trace = directory.resolve("trace");
    return Files.exists(trace) ? Files.readAllLines(trace) : List.of();
  }

  private String append(String what) {
    return "echo " + what + " $JOB_COMPLETION_INDEX >> " + directory.resolve("trace");
  }

  private void awaitTrace(int lines, StintProcess process) {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> trace().size() >= lines || !process.alive());
  }

  @Test
  void aJobRunsToItsEndAndItsLogsStay() throws Exception {
    Path file =
        job(
            "hello",
            "completionMode: Indexed, completions: 3, parallelism: 3",
            "echo hello $JOB_COMPLETION_INDEX");
    StintProcess run = run(file, "-o", "json");
    assertThat(run.exitStatus()).as(run.err()).isZero();
    assertThat(status(run).completedIndexes()).hasToString("0-2");
    assertThat(status(run).isTrue("Complete")).isTrue();
    assertThat(run.err()).contains("hello: Complete").contains("3 of 3 succeeded");
    try (Stream<Path> logs = Files.walk(directory.resolve("data/logs/default/hello"))) {
      List<String> texts =
          logs.filter(log -> log.toString().endsWith(".stdout"))
              .map(RunTest::read)
              .sorted()
              .toList();
      assertThat(texts).containsExactly("hello 0\n", "hello 1\n", "hello 2\n");
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException fault) {
      throw new java.io.UncheckedIOException(fault);
    }
  }

  @Test
  void aFailedJobEndsWithStatusOneAndSaysWhy() throws Exception {
    StintProcess run = run(job("bad", "backoffLimit: 0", "exit 3"));
    assertThat(run.exitStatus()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("bad: Failed").contains("backoffLimit").contains("logs: ");
  }

  @Test
  void aCommandThatCannotBeStartedFailsItsAttempt() throws Exception {
    Path file = job("none", "backoffLimit: 0", "unused");
    Files.writeString(
        file, Files.readString(file).replace("[sh, -c, 'unused']", "[no-such-command-here]"));
    assertThat(runHere(1, file).errText()).contains("no-such-command-here");
  }

  @Test
  void theSameCommandAfterTheEndStartsAnew() throws Exception {
    Path file = job("again", "completionMode: Indexed, completions: 2", append("ran"));
    runHere(0, file);
    runHere(0, file);
    assertThat(trace()).hasSize(4);
  }

  private static String text(Recorded run) {
    return String.join("\n", run.out());
  }

  /** {@code kubectl get job -o json} prints the same. */
  @Test
  void aJobRunsAgainAsItWasPrinted() throws Exception {
    String first = text(runHere(0, job("pi", "completions: 1", "true"), "-o", "json"));
    String input =
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c\",\"uid\":\"u\",\"resourceVersion\":\"7\"}}";
    Path printed = Files.writeString(directory.resolve("printed"), first + "\n---\n" + input);
    Recorded again = runHere(0, printed, "-o", "json");
    assertThat(again.errText())
        .contains(
            ":1: a stored Job; its uid, status, selector and generated labels are left out",
            ": a stored ConfigMap; its uid and resourceVersion are left out");
    assertThat(Json.parse(text(again)).at("/metadata/uid"))
        .isNotEqualTo(Json.parse(first).at("/metadata/uid"));
    assertThat(Json.parse(text(again)).at("/status/succeeded").asInt()).isOne();
  }

  @Test
  void everyFaultOfADocumentIsReportedWithItsLineAndNothingStarts() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("bad.yaml"),
            """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: bad
            spec:
              completions: -1
              completionMode: Indexed
              successPolicy:
                rules:
                - succeededIndexes: "3-1"
              template:
                spec:
                  restartPolicy: Never
                  containers:
                  - {name: main, image: x, command: [sh]}
            """);
    StintProcess run = run(file);
    assertThat(run.exitStatus()).as(run.err()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains("bad.yaml:6: spec.completions")
        .contains("bad.yaml:10: spec.successPolicy.rules[0].succeededIndexes")
        .doesNotContain("\tat ");
    assertThat(directory.resolve("data")).doesNotExist();
  }

  @Test
  void unsupportedFieldsAreRefusedWithTheirPaths() throws Exception {
    Path file = job("waits", "suspend: true", "unused");
    Files.writeString(
        file, Files.readString(file).replace("command: [sh, -c, 'unused']", "workingDir: /tmp"));
    assertThat(runHere(2, file).errText())
        .contains("spec.suspend")
        .contains("spec.template.spec.containers[0].command");
  }

  @Test
  void aPodThatExceedsTheMachineIsRefusedAtOnce() throws Exception {
    Path file = job("large", "completions: 1", "true");
    String text = Files.readString(file);
    Files.writeString(
        file, text.replace("image: unused,", "image: unused, resources: {requests: {cpu: 100k}},"));
    assertThat(runHere(2, file).errText())
        .contains("spec.template.spec: ")
        .contains("insufficient cpu: the pod requests 100000, this machine has");
  }

  @Test
  void anotherDocumentUnderTheNameOfAnUnfinishedJobIsRefusedUntilItIsReplaced() throws Exception {
    StintProcess first = start(job("same", "completions: 1", append("first") + "; sleep 60"));
    awaitTrace(1, first);
    first.terminate();
    assertThat(first.exitStatus()).isEqualTo(143);
    Path changed = job("same", "completions: 1", append("second"));
    StintProcess refused = run(changed);
    assertThat(refused.exitStatus()).isEqualTo(2);
    assertThat(refused.err()).contains("unfinished").contains("--replace");
    StintProcess replaced = run(changed, "--replace");
    assertThat(replaced.exitStatus()).as(replaced.err()).isZero();
    assertThat(trace().getLast()).startsWith("second");
  }

  @Test
  void anInterruptedJobResumesWithTheSameCommandAndNothingCountsAsAFailure() throws Exception {
    Path file =
        job(
            "pause",
            "completionMode: Indexed, completions: 4, parallelism: 2, backoffLimitPerIndex: 0",
            append("start")
                + "; while [ ! -e "
                + directory.resolve("go")
                + " ]; do sleep 0.05; done; "
                + append("done"));
    StintProcess interrupted = start(file);
    awaitTrace(2, interrupted);
    interrupted.terminate();
    assertThat(interrupted.exitStatus()).isEqualTo(143);
    assertThat(interrupted.err()).contains("the same command resumes it");
    Files.createFile(directory.resolve("go"));
    StintProcess resumed = run(file, "-o", "json");
    assertThat(resumed.exitStatus()).as(resumed.err()).isZero();
    assertThat(resumed.err()).contains("pause: resumed, ");
    assertThat(status(resumed).failed()).isZero();
    assertThat(trace().stream().filter(line -> line.startsWith("done"))).hasSize(4);
  }

  @Test
  void aTimeoutStopsTheJobAndLeavesItResumable() throws Exception {
    Path file = job("slow", "completions: 1", "sleep 60");
    StintProcess run = run(file, "--timeout", "1s");
    assertThat(run.exitStatus()).isEqualTo(124);
    assertThat(run.err()).contains("not finished within 1s");
  }

  @Test
  @Covers({"TR-12", "TR-18"})
  void killsAtRandomMomentsLoseNothingAndRepeatNoFinishedIndex() throws Exception {
    Random random = new Random(20261121);
    // More than ten lives can finish: each adds what it is waited for, and what ran as it was
    // killed.
    int completions = 64;
    Path file =
        job(
            "crash",
            "completionMode: Indexed, parallelism: 4, backoffLimitPerIndex: 0, completions: "
                + completions,
            append("start") + "; sleep 0.$((JOB_COMPLETION_INDEX % 5)); " + append("done"));
    for (int life = 0; life < 10; life++) {
      StintProcess killed = start(file);
      awaitTrace(trace().size() + random.nextInt(8), killed);
      killed.kill();
    }
    StintProcess last = run(file, "-o", "json");
    assertThat(last.exitStatus()).as(last.err()).isZero();
    JobStatus status = status(last);
    assertThat(status.completedIndexes()).hasToString("0-" + (completions - 1));
    assertThat(status.succeeded()).isEqualTo(completions);
    assertThat(status.failed()).isZero();
    Map<String, Long> runs =
        trace().stream().collect(Collectors.groupingBy(line -> line, Collectors.counting()));
    assertThat(runs).hasSize(2 * completions);
    assertThat(runs.values())
        .as("every index started and finished once: %s", runs)
        .containsOnly(1L);
  }

  @Test
  void podsMayMountTheHostPathsThatAFlagAllows() throws Exception {
    Path file = directory.resolve("paths.yaml");
    Files.writeString(
        file,
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: paths
        spec: {template: {spec: {restartPolicy: Never,
          volumes: [{name: v, hostPath: {path: %s}}],
          containers: [{name: main, image: unused, command: ['true']}]}}}
        """
            .formatted(directory));
    assertThat(runHere(2, file).errText())
        .contains("spec.template.spec.volumes[0].hostPath.path", "--host-path");
    runHere(0, file, "--host-path", directory.toString());
  }

  @Test
  void podsShareTheDevicesThatAFlagNames() throws Exception {
    Path file =
        job(
            "licensed",
            "completions: 4, parallelism: 4, completionMode: Indexed",
            "echo $STINT_DEVICES_EXAMPLE_COM_LICENSE >> " + directory.resolve("seen"));
    String text = Files.readString(file);
    Files.writeString(
        file,
        text.replace(
            "image: unused,", "image: unused, resources: {limits: {example.com/license: 1}},"));
    assertThat(runHere(2, file).errText()).contains("insufficient example.com/license");
    runHere(0, file, "--device", "example.com/license=7,");
    assertThat(Files.readAllLines(directory.resolve("seen"))).containsExactly("7", "7", "7", "7");
  }

  @Test
  void configMapsAndSecretsOfTheFilesAreCreatedOrReplaced() throws Exception {
    Path file = directory.resolve("inputs.yaml");
    String text =
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: colours}
        data: {first: green}
        ---
        apiVersion: v1
        kind: Secret
        metadata: {name: words}
        stringData: {password: sesame}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {name: inputs}
        spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never,
          containers: [{name: main, image: unused, command: [sh, -c, 'echo $first $password >> TRACE'],
            envFrom: [{configMapRef: {name: colours}}, {secretRef: {name: words}}]}]}}}
        """
            .replace("TRACE", directory.resolve("trace").toString());
    runHere(0, Files.writeString(file, text));
    runHere(0, Files.writeString(file, text.replace("green", "blue")));
    assertThat(trace()).containsExactly("green sesame", "blue sesame");
  }

  @Test
  void aFileWithoutAnyJobIsRefused() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("none.yaml"), "{apiVersion: v1, kind: Secret, metadata: {name: s}}");
    assertThat(runHere(2, file).errText())
        .contains("none.yaml: contains no Job; stint run requires one");
  }
}
