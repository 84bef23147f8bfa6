package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** kubectl accesses pods that are processes. Skipped if kubectl is not installed. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.CONCURRENT)
class PodAccessTest {
  private static final Path KUBECTL = Path.of("/usr/bin/kubectl");

  @TempDir private static Path directory = Path.of("");
  private static @org.jspecify.annotations.Nullable StintProcess up;

  /** The result of a kubectl command. */
  private record Result(int status, String out, String err) {}

  @BeforeAll
  static void serve() throws IOException {
    assumeTrue(Files.isExecutable(KUBECTL), "SKIPPED: " + KUBECTL + " is not installed");
    StintProcess started =
        StintProcess.start(
            directory,
            "up",
            "--data",
            directory.resolve("data").toString(),
            "--listen",
            "127.0.0.1:0",
            "--kubeconfig-out",
            kubeconfig());
    up = started;
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> started.out().contains("To use it") || !started.alive());
    assertThat(started.alive()).as(started.err()).isTrue();
  }

  @AfterAll
  static void stop() throws InterruptedException {
    if (up != null) {
      up.terminate();
      up.exitStatus();
    }
  }

  private static String kubeconfig() {
    return directory.resolve("kubeconfig").toString();
  }

  private static List<String> command(String... args) {
    List<String> command =
        new ArrayList<>(
            List.of(
                KUBECTL.toString(),
                "--kubeconfig",
                kubeconfig(),
                "--cache-dir",
                directory.resolve("cache").toString()));
    command.addAll(List.of(args));
    return command;
  }

  private static Result kubectl(String input, String... args) throws Exception {
    Path in = Files.writeString(Files.createTempFile(directory, "in", ".txt"), input);
    Path out = Files.createTempFile(directory, "out", ".txt");
    Path err = Files.createTempFile(directory, "err", ".txt");
    List<String> command = command(args);
    Process process =
        new ProcessBuilder(command)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("%s ends", command).isTrue();
    return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  private static void finished(String job, int completions, String script) throws Exception {
    apply(job, completions, script);
    kubectlOk("wait", "--for=condition=Complete", "--timeout=60s", "job/" + job);
  }

  private static void apply(String job, int completions, String script) throws Exception {
    String document =
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %s, namespace: default}
        spec:
          completions: %d
          parallelism: 2
          completionMode: Indexed
          template:
            spec:
              restartPolicy: Never
              containers:
              - name: main
                image: none
                env: [{name: COLOUR, value: blue}]
                command: [sh, -c, '%s']
        """
            .formatted(job, completions, script);
    Result applied = kubectl(document, "apply", "-f", "-");
    assertThat(applied.status()).as(applied.err()).isZero();
  }

  private static String kubectlOk(String... args) throws Exception {
    Result result = kubectl("", args);
    assertThat(result.status()).as("%s: %s", List.of(args), result.err()).isZero();
    return result.out();
  }

  /** Returns the name of a Job's only pod, which runs or has run. */
  private static String podOf(String job) throws Exception {
    return kubectlOk("get", "pods", "-l", "job-name=" + job, "-o", "name").strip();
  }

  /** Creates a Job whose pod runs until it is deleted. */
  private static String running(String job) throws Exception {
    apply(job, 1, "echo ready; while :; do sleep 1000; done");
    kubectlOk("wait", "--for=jsonpath={.status.ready}=1", "--timeout=60s", "job/" + job);
    return podOf(job);
  }

  @Test
  void logsContainTheOutputOfAContainer() throws Exception {
    finished("plain", 1, "echo one; echo two; echo three");
    assertThat(kubectlOk("logs", "job/plain")).isEqualTo("one\ntwo\nthree\n");
    assertThat(kubectlOk("logs", "job/plain", "--tail=1")).isEqualTo("three\n");
    assertThat(kubectlOk("logs", "job/plain", "--limit-bytes=5")).isEqualTo("one\nt");
    assertThat(kubectlOk("logs", "job/plain", "--since=1h")).isEqualTo("one\ntwo\nthree\n");
    assertThat(kubectlOk("logs", "job/plain", "--timestamps").lines())
        .hasSize(3)
        .allMatch(line -> line.matches("20\\d\\d-.*T.*Z (one|two|three)"));
  }

  @Test
  void logsOfManyPodsAreSelectedByTheirLabels() throws Exception {
    finished("many", 2, "echo index $JOB_COMPLETION_INDEX");
    assertThat(kubectlOk("logs", "-l", "job-name=many", "--prefix").lines())
        .hasSize(2)
        .allMatch(line -> line.matches("\\[pod/many-[01]-\\w+/main\\] index [01]"));
  }

  @Test
  void followedLogsEndWithTheContainer() throws Exception {
    Path last = directory.resolve("last");
    apply(
        "followed",
        1,
        "echo first; until [ -e %s ]; do sleep 0.1; done; echo last".formatted(last));
    kubectlOk("wait", "--for=jsonpath={.status.ready}=1", "--timeout=60s", "job/followed");
    Process follower =
        new ProcessBuilder(command("logs", "-f", "job/followed"))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader lines = follower.inputReader()) {
      assertThat(lines.readLine()).isEqualTo("first");
      Files.createFile(last);
      assertThat(lines.readLine()).isEqualTo("last");
      assertThat(lines.readLine()).isNull();
    }
    assertThat(follower.waitFor()).isZero();
  }

  @Test
  void logsOutliveTheirPod() throws Exception {
    finished("outlived", 1, "echo still here");
    String pod = podOf("outlived").substring("pod/".length());
    kubectlOk("delete", "job/outlived", "--wait=true");
    kubectlOk("wait", "--for=delete", "--timeout=60s", "pod/" + pod);
    String path = "/api/v1/namespaces/default/pods/" + pod + "/log";
    assertThat(kubectlOk("get", "--raw", path)).isEqualTo("still here\n");
  }

  @Test
  void impossibleRequestsAreRefusedClearly() throws Exception {
    finished("asked", 1, "true");
    assertThat(kubectl("", "logs", "job/asked", "-c", "other").err())
        .contains("container other is not valid for pod asked-0-");
    assertThat(kubectl("", "logs", "job/asked", "--previous").err())
        .containsPattern(
            "previous terminated container \"main\" in pod \"asked-0-\\w+\" not found");
    assertThat(kubectl("", "logs", "nobody").err()).contains("pods \"nobody\" not found");
    kubectlOk("run", "asks", "--image=none", "--restart=Never", "--stdin", "--attach=false");
    kubectlOk("wait", "--for=jsonpath={.status.phase}=Failed", "--timeout=60s", "pod/asks");
    assertThat(kubectl("", "logs", "asks").err())
        .contains("never started: This node cannot run the pod: spec.containers[0].stdin");
    String log =
        "/api/v1/namespaces/default/pods/" + podOf("asked").substring(4) + "/log?tailLines=-1";
    assertThat(kubectl("", "get", "--raw", log).err())
        .contains("tailLines: Invalid value: -1: must be greater than or equal to 0");
  }

  @Test
  void commandsRunInTheContainersEnvironment() throws Exception {
    String pod = running("shell");
    assertThat(kubectlOk("exec", pod, "--", "sh", "-c", "echo $COLOUR; echo oops >&2"))
        .isEqualTo("blue\n");
    assertThat(kubectl("", "exec", pod, "--", "sh", "-c", "exit 3"))
        .satisfies(result -> {
          assertThat(result.status()).isEqualTo(3);
          assertThat(result.err()).contains("exit code 3");
        });
    String input = "line of input\n".repeat(50_000);
    assertThat(kubectl(input, "exec", "-i", pod, "--", "cat").out()).isEqualTo(input);
    assertThat(kubectl("", "exec", pod, "--", "no-such-program"))
        .satisfies(result -> {
          assertThat(result.status()).isNotZero();
          assertThat(result.err()).contains("no-such-program", "not found in PATH");
        });
  }

  @Test
  void commandsInPodsThatEndedAreRefused() throws Exception {
    finished("ended", 1, "true");
    assertThat(kubectl("", "exec", podOf("ended"), "--", "true").status()).isNotZero();
  }
}
