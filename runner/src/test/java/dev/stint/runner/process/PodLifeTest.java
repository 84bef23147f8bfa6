package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.EventLoop;
import dev.stint.harness.TestTime;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.runner.PodCluster;
import dev.stint.runner.Runner;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.file.FileTrees;
import dev.stint.runner.log.AttemptRecords;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Posix;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Pods with several commands, with real processes. Nothing waits for time to pass, only for named
 * pipes and the cluster.
 */
@Timeout(60)
class PodLifeTest {
  @TempDir Path dir;
  private final PodCluster cluster = new PodCluster();
  private final TestTime time = new TestTime();
  private @Nullable Life life;

  /** One life of the whole program. */
  private boolean repeatsLost;

  private final class Life {
    final ExecutorService loop = Executors.newSingleThreadExecutor();
    final ProcessRuntime runtime;
    final Runner runner;

    Life() throws IOException {
      Map<String, String> inherited = Map.of("PATH", System.getenv("PATH"), "DIR", dir.toString());
      Path logs = dir.resolve("logs");
      runtime = new ProcessRuntime(dir.resolve("pods"), logs, inherited, time, time);
      RunnerOptions options =
          new RunnerOptions("here", 8, _ -> true, Duration.ofSeconds(1))
              .withRepeatsOfLost(_ -> repeatsLost);
      runner =
          new Runner(cluster, runtime, new EventLoop(loop, time, time, new Random(1)), options);
      runner.start().join();
    }

    /** Ends it as kill -9 does. */
    void die() {
      runner.close();
      runtime.close();
      loop.close();
    }
  }

  private interface Loss {
    void take(AttemptDir attempt) throws IOException;
  }

  @BeforeEach
  void live() throws Exception {
    life = new Life();
    for (String pipe : new String[] {"up", "go"}) {
      Path path = dir.resolve(pipe);
      assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
    }
  }

  @AfterEach
  void endWhatIsLeft() {
    interruptAndDie();
  }

  /** Ends the life as Ctrl-C does. All records of attempts are written then. */
  private void interruptAndDie() {
    Life last = Objects.requireNonNull(life);
    last.runner.interruptNow().join();
    last.die();
  }

  @Test
  void initContainersRunBeforeAndSidecarsDuringTheWork() throws Exception {
    add(
        """
        {'restartPolicy': 'Never',
         'initContainers': [
           {'name': 'init', 'command': ['sh', '-c', 'echo made >$DIR/file']},
           {'name': 'side', 'restartPolicy': 'Always',
             'command': ['sh', '-c', 'cat $DIR/file >$DIR/up; sleep 1000']}],
         'containers': [
           {'name': 'main', 'command': ['sh', '-c', 'read x <$DIR/up; test $x = made']}]}
        """);
    cluster.whenPhase("a", "Succeeded").get();
    JsonNode init = status().path("initContainerStatuses");
    assertThat(init.at("/0/state/terminated/exitCode").intValue()).isZero();
    assertThat(init.at("/1/state/terminated/exitCode").intValue()).isEqualTo(143);
    assertThat(init.at("/1/restartCount").intValue()).isZero();
  }

  @Test
  void aPostStartHookRunsInTheContainersEnvironment() throws Exception {
    cluster.addInput(Kind.CONFIG_MAP, "c", "WORD", "hello");
    cluster.addInput(Kind.SECRET, "s", "key", "d29ybGQ=");
    add(
        """
        {'restartPolicy': 'Never', 'containers': [{'name': 'main',
          'envFrom': [{'configMapRef': {'name': 'c'}}],
          'env': [{'name': 'OTHER', 'valueFrom': {'secretKeyRef': {'name': 's', 'key': 'key'}}}],
          'command': ['sh', '-c', 'read x <$DIR/up; test "$x" = "hello world"'],
          'lifecycle': {'postStart': {'exec': {'command':
            ['sh', '-c', 'echo $WORD $OTHER >$DIR/up']}}}}]}
        """);
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(status().at("/containerStatuses/0/state/terminated/exitCode").intValue()).isZero();
  }

  @Test
  void aPreStopHookRunsBeforeTerm() throws Exception {
    add(
        """
        {'restartPolicy': 'Never', 'containers': [{'name': 'main',
          'command': ['sh', '-c', 'trap "" TERM; echo up >$DIR/up; read _ <$DIR/go; exit 7'],
          'lifecycle': {'preStop': {'exec': {'command': ['sh', '-c', 'echo go >$DIR/go']}}}}]}
        """);
    awaitUp();
    time.advanceOnceArmed(Duration.ofSeconds(1));
    cluster.whenPhase("a", "Running").get();
    cluster.requestDeletion("a", 30);
    cluster.when("a", pod -> pod == null).get();
    assertThat(
            cluster
                .statusWrites("a")
                .getLast()
                .status()
                .at("/containerStatuses/0/state/terminated/exitCode")
                .intValue())
        .isEqualTo(7);
  }

  @Test
  void theRecordOfAnAttemptSaysIfItWasStoppedFromOutside() throws Exception {
    String runs =
        """
        {'restartPolicy': 'Never', 'containers': [{'name': 'main',
          'command': ['sh', '-c', 'echo up >$DIR/up; exec sleep 1000']}]}
        """;
    add(
        "own",
        "{'restartPolicy': 'Never', 'containers': [{'name': 'main', 'command': ['false']}]}");
    cluster.whenPhase("own", "Failed").get();
    add("deleted", runs);
    awaitUp();
    cluster.requestDeletion("deleted", 30);
    cluster.when("deleted", pod -> pod == null).get();
    add("interrupted", runs);
    awaitUp();
    interruptAndDie();
    assertThat(record("own").path("stopped").booleanValue(false)).isFalse();
    assertThat(record("deleted").path("stopped").booleanValue(false)).isTrue();
    assertThat(record("deleted").path("exitCode").intValue()).isEqualTo(143);
    assertThat(record("interrupted").path("stopped").booleanValue(false)).isTrue();
    life = new Life();
  }

  @Test
  void theRecordOfAnAttemptSaysThatItsPodFailed() throws Exception {
    add(
        "late",
        """
        {'restartPolicy': 'Never', 'activeDeadlineSeconds': 5, 'containers': [{'name': 'main',
          'command': ['sh', '-c', 'trap "exit 0" TERM; echo up >$DIR/up; sleep 1000 & wait']}]}
        """);
    awaitUp();
    time.advanceOnceArmed(Duration.ofSeconds(5));
    cluster.whenPhase("late", "Failed").get();
    interruptAndDie();
    assertThat(record("late").path("exitCode").intValue()).isZero();
    assertThat(record("late").path("failedWithPod").booleanValue(false)).isTrue();
    assertThat(record("late").path("reason").stringValue()).isEqualTo("DeadlineExceeded");
    life = new Life();
  }

  /** Its next life runs it again, so it has not failed with its pod. */
  @Test
  void anInterruptionCountsMoreThanThatItsPodFailed() throws Exception {
    add(
        "late",
        """
        {'restartPolicy': 'Never', 'activeDeadlineSeconds': 5, 'containers': [{'name': 'main',
          'command': ['sh', '-c',
            'trap "echo up >$DIR/up" TERM; echo up >$DIR/up; while :; do sleep 1000 & wait; done']}]}
        """);
    awaitUp();
    time.advanceOnceArmed(Duration.ofSeconds(5));
    awaitUp();
    interruptAndDie();
    assertThat(record("late").path("stopped").booleanValue(false)).isTrue();
    assertThat(record("late").path("failedWithPod").booleanValue(false)).isFalse();
    life = new Life();
  }

  /** Reads to the end: a pipe that its writer has not closed yet would end the next read early. */
  private void awaitUp() throws IOException {
    try (BufferedReader up = Files.newBufferedReader(dir.resolve("up"))) {
      assertThat(up.lines()).containsExactly("up");
    }
  }

  private JsonNode record(String pod) throws IOException {
    return AttemptRecords.read(dir.resolve("logs/default/" + pod)).getLast();
  }

  @Test
  void theExitCodeOfAnExecProbeIsItsResult() throws Exception {
    add(
        """
        {'restartPolicy': 'Never', 'containers': [{'name': 'main',
          'env': [{'name': 'CODE', 'value': '3'}],
          'command': ['sh', '-c', 'trap "" HUP; echo up >$DIR/up; sleep 1000'],
          'livenessProbe': {'failureThreshold': 1, 'exec': {'command':
            ['sh', '-c', 'cat $DIR/up; exit $CODE']}}}]}
        """);
    cluster.whenPhase("a", "Failed").get();
    assertThat(status().at("/containerStatuses/0/state/terminated/exitCode").intValue())
        .isEqualTo(143);
  }

  @Test
  void anAttemptThatTheMachineWentDownUnderFailsAsADisruption() throws Exception {
    loseMachineUnder("Never");
    cluster.whenPhase("a", "Failed").get();
    JsonNode ended = status().at("/containerStatuses/0/state/terminated");
    assertThat(ended.path("exitCode").intValue()).isEqualTo(255);
    assertThat(Json.text(ended, "reason")).isEqualTo("Unknown");
    JsonNode disruption = status().path("conditions").path(5);
    assertThat(Json.text(disruption, "type")).isEqualTo("DisruptionTarget");
    assertThat(Json.text(disruption, "status")).isEqualTo("True");
    assertThat(Json.text(disruption, "reason")).isEqualTo("TerminationByKubelet");
  }

  @Test
  void anAttemptLostInAMachineRestartIsRestartedInItsPod() throws Exception {
    Files.writeString(dir.resolve("again"), "");
    loseMachineUnder("OnFailure");
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(status().at("/containerStatuses/0/restartCount").intValue()).isEqualTo(1);
    assertThat(status().at("/containerStatuses/0/lastState/terminated/exitCode").intValue())
        .isEqualTo(255);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Never", "OnFailure"})
  void anAttemptLostInAMachineRestartIsRepeatedWithoutACountIfItsPodIsChosen(String policy)
      throws Exception {
    repeatsLost = true;
    loseMachineUnder(policy);
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(status().at("/containerStatuses/0/restartCount").intValue()).isZero();
    assertThat(status().at("/containerStatuses/0/lastState").propertyNames()).isEmpty();
    assertThat(status().path("conditions").toString()).doesNotContain("DisruptionTarget");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAttemptWhoseRecordALossOfPowerTookIsLostAndNotRepeated(boolean withItsDirectory)
      throws Exception {
    loseRecordUnder("Never", withItsDirectory);
    cluster.whenPhase("a", "Failed").get();
    JsonNode ended = status().at("/containerStatuses/0");
    assertThat(Json.text(ended.at("/state/terminated"), "reason")).isEqualTo("Unknown");
    assertThat(Json.text(ended, "containerID"))
        .as("no other run than the one whose hooks are done")
        .isEqualTo("process://another-boot/uid-a/main/0");
    assertThat(status().path("conditions").toString()).contains("DisruptionTarget");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAttemptWhoseRecordALossOfPowerTookIsCountedAsARestart(boolean withItsDirectory)
      throws Exception {
    loseRecordUnder("OnFailure", withItsDirectory);
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(status().at("/containerStatuses/0/restartCount").intValue()).isEqualTo(1);
  }

  /** Makes it look as if the machine had lost its power soon after the process was started. */
  private void loseRecordUnder(String restartPolicy, boolean withItsDirectory) throws Exception {
    loseMachineUnder(
        restartPolicy,
        attempt -> {
          ObjectNode pod = cluster.pod("a").copy();
          pod.withObject("status")
              .putArray("containerStatuses")
              .addObject()
              .put("name", "main")
              .put("restartCount", 0)
              .put("containerID", "process://another-boot/uid-a/main/0")
              .putObject("state")
              .putObject("running");
          cluster.put(pod);
          Files.writeString(attempt.path().resolve("pid"), "");
          if (withItsDirectory) {
            FileTrees.delete(attempt.podDir());
          }
        });
  }

  /** Makes it look as if the process had been started before the machine was. */
  private void loseMachineUnder(String restartPolicy) throws Exception {
    loseMachineUnder(
        restartPolicy,
        attempt -> {
          int pid = attempt.identity().orElseThrow().pid();
          Files.writeString(attempt.path().resolve("pid"), "uid-a " + pid + " another-boot\n");
        });
  }

  private void loseMachineUnder(String restartPolicy, Loss loss) throws Exception {
    add(
        """
        {'restartPolicy': '%s', 'containers': [{'name': 'main', 'command': ['sh', '-c',
          '[ -e $DIR/second ] && exit 0; exec 3>$DIR/up; echo up >&3; sleep 1000']}]}
        """
            .formatted(restartPolicy));
    try (BufferedReader up = Files.newBufferedReader(dir.resolve("up"))) {
      assertThat(up.readLine()).isEqualTo("up");
      Objects.requireNonNull(life).die();
      AttemptDir attempt = AttemptDir.of(dir.resolve("pods"), "uid-a", "main", 0);
      Posix.kill(-attempt.identity().orElseThrow().pid(), 9);
      assertThat(up.readLine()).isNull();
      loss.take(attempt);
    }
    Files.writeString(dir.resolve("second"), "");
    life = new Life();
  }

  private void add(String spec) {
    add("a", spec);
  }

  private void add(String name, String spec) {
    ObjectNode pod = PodCluster.newPod(name);
    pod.withObjectProperty("spec")
        .setAll(Json.parse(spec.replace("\"", "\\\"").replace('\'', '"')));
    cluster.put(pod);
  }

  private JsonNode status() {
    return Objects.requireNonNull(cluster.pod("a").status());
  }
}
