package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.cluster.EventLoop;
import dev.stint.harness.TestTime;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.PodCluster;
import dev.stint.runner.Runner;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.log.AttemptRecords;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.isolation.MachineCapabilities;
import dev.stint.runner.process.shim.ShimProgram;
import dev.stint.runner.process.shim.Spawner;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.StartedContainer;
import dev.stint.runner.spec.PodInputs;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The runner with real processes. Nothing here waits for time to pass, only for pods in the
 * cluster, and for named pipes, which reach their end once the last process that holds them has
 * ended.
 */
@Timeout(60)
class ProcessRuntimeTest {
  /** Two lines: the shell reports that it is ready, and then waits to be ended. */
  private static final String READY_AND_WAIT = "exec 3>$PIPE; echo ready >&3; sleep 1000";

  /** Succeeds at once in an attempt that is not the first. */
  private static final String ONCE = "[ -e $PIPE.begun ] && exit 0; touch $PIPE.begun; ";

  private static final int HANGUP = 1;
  private static final int TERM = 15;

  /** Likewise, and then waits for the test to continue. */
  private static final String WAIT_FOR_GO = "exec 3>$PIPE; echo ready >&3; read _ <$PIPE.go; ";

  @TempDir Path dir;
  final PodCluster cluster = new PodCluster();
  final TestTime time = new TestTime();
  private final List<Life> lives = new ArrayList<>();
  private Spawner spawner = Posix::spawn;

  ShimProgram shim() {
    return ShimProgram.SHELL;
  }

  /** One life of the whole program. */
  final class Life {
    final ExecutorService loop = Executors.newSingleThreadExecutor();
    final ProcessRuntime runtime;
    final Runner runner;

    Life(boolean usePidfds) throws IOException {
      runtime =
          new ProcessRuntime(
              dir.resolve("pods"),
              dir.resolve("logs"),
              Map.of("PATH", System.getenv("PATH"), "INHERITED", "yes"),
              time,
              time,
              ProcessOptions.NONE,
              usePidfds,
              spawner,
              shim());
      runner =
          new Runner(
              cluster,
              runtime,
              new EventLoop(loop, time, time, new Random(1)),
              new RunnerOptions("here", 8, _ -> true, Duration.ofSeconds(1)));
      runner.start().join();
    }

    /** Ends it as kill -9 does: nothing is reported, and nothing is checked any more. */
    void die() {
      runner.close();
      runtime.close();
      loop.close();
    }
  }

  @AfterEach
  void endWhatIsLeft() throws IOException {
    for (Life life : lives) {
      if (!life.loop.isShutdown()) {
        life.runner.interruptNow().join();
        life.die();
      }
    }
    Life last = live();
    last.runner.interruptNow().join();
    last.die();
  }

  @Test
  void exitCodesAreReported() throws Exception {
    live();
    cluster.put(PodCluster.newPod("good", "true"));
    cluster.put(PodCluster.newPod("bad", "sh", "-c", "exit 3"));
    cluster.whenPhase("good", "Succeeded").get();
    cluster.whenPhase("bad", "Failed").get();
    JsonNode ended = terminated("bad");
    assertThat(ended.path("exitCode").intValue()).isEqualTo(3);
    assertThat(Json.text(ended, "reason")).isEqualTo("Error");
    assertThat(cluster.statusWrites("good")).hasSize(1);
    assertThat(Json.text(cluster.containerStatus("good"), "containerID"))
        .isEqualTo("process://uid-good/main/0");
  }

  @Test
  void aPodGetsItsLineOfAListWithAnyBytesInIt() throws Exception {
    live();
    ObjectNode map = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
    map.putObject("metadata").put("name", "list-0").put("namespace", "default");
    map.putObject("data").put("starts", "0\n");
    byte[] lines = "other\ncaf\u00E9 $(PATH) '\n".getBytes(StandardCharsets.ISO_8859_1);
    map.putObject("binaryData").put("lines-0", Base64.getEncoder().encodeToString(lines));
    cluster.put(map);
    ObjectNode pod =
        PodCluster.newPod(
            "a", "/bin/sh", "/stint/items/each", "sh", "-c", "echo $STINT_ITEM $1", "sh", "<{}>");
    pod.withObjectProperty("metadata")
        .withObjectProperty("annotations")
        .put("batch.kubernetes.io/job-completion-index", "1");
    pod.withObjectProperty("spec")
        .set(
            "volumes",
            Json.parse(
                    """
                    {"v": [{"name": "v", "projected": {"sources": [{"configMap": {"name": "list-0"}}]}}]}
                    """)
                .get("v"));
    container(pod)
        .putArray("volumeMounts")
        .addObject()
        .put("name", "v")
        .put("mountPath", "/stint/items");
    cluster.put(pod);
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(Files.readAllBytes(dir.resolve("logs/default/a/a/main.0.stdout")))
        .isEqualTo(
            "caf\u00E9 $(PATH) ' <caf\u00E9 $(PATH) '>\n".getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void aContainerWhoseVariablesDoubleEachOtherFailsToStart() throws Exception {
    live();
    ObjectNode pod = PodCluster.newPod("a", "true");
    ArrayNode env = ((ObjectNode) pod.at("/spec/containers/0")).putArray("env");
    env.addObject().put("name", "A0").put("value", "0123456789");
    for (int i = 1; i <= 40; i++) {
      String before = "$(A" + (i - 1) + ")";
      env.addObject().put("name", "A" + i).put("value", before + before);
    }
    cluster.put(pod);
    cluster.whenPhase("a", "Failed").get();
    assertThat(terminated("a").path("exitCode").intValue()).isEqualTo(128);
    assertThat(Json.text(terminated("a"), "reason")).isEqualTo("StartError");
    assertThat(Json.text(terminated("a"), "message")).contains("exceed the limit of 2 MiB");
  }

  @Test
  void aPodWithAnEmptyJobNameRuns() throws Exception {
    live();
    ObjectNode pod = PodCluster.newPod("a", "true");
    pod.withObjectProperty("metadata").putObject("labels").put("batch.kubernetes.io/job-name", "");
    cluster.put(pod);
    cluster.whenPhase("a", "Succeeded").get();
  }

  @Test
  void aCommandKilledByASignalHas128PlusItsNumber() throws Exception {
    live();
    cluster.put(PodCluster.newPod("a", "sh", "-c", "kill -9 $$$$"));
    cluster.whenPhase("a", "Failed").get();
    assertThat(terminated("a").path("exitCode").intValue()).isEqualTo(137);
  }

  @Test
  void aWholeGroupKilledFromOutsideIsReportedWithItsSignal() throws Exception {
    live();
    cluster.put(PodCluster.newPod("a", "sh", "-c", "kill -9 0"));
    time.advanceOnceArmed(ProcessAttempt.DOUBT);
    cluster.whenPhase("a", "Failed").get();
    assertThat(terminated("a").path("exitCode").intValue()).isEqualTo(137);
    assertThat(terminated("a").path("signal").intValue()).isEqualTo(9);
  }

  @Test
  void withoutPidfdsItIsTheSame() throws Exception {
    live(false);
    cluster.put(PodCluster.newPod("good", "true"));
    cluster.put(PodCluster.newPod("bad", "sh", "-c", "exit 3"));
    cluster.whenPhase("good", "Succeeded").get();
    cluster.whenPhase("bad", "Failed").get();
    assertThat(terminated("bad").path("exitCode").intValue()).isEqualTo(3);
  }

  @Test
  void leftoverProcessesEndWithTheirCommand() throws Exception {
    live();
    add("a", "(trap '' TERM HUP; exec 3>$PIPE; echo ready >&3; sleep 1000) & read _ <$PIPE.go");
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      Files.writeString(dir.resolve("a.pipe.go"), "go\n");
      assertThat(pipe.readLine()).isNull();
    }
    cluster.whenPhase("a", "Succeeded").get();
  }

  @Test
  void theCommandSeesItsEnvironmentWorkingDirectoryAndArguments() throws Exception {
    live();
    Path work = Files.createDirectory(dir.resolve("work"));
    ObjectNode pod =
        PodCluster.newPod(
            "a",
            "sh",
            "-c",
            "echo \"$PWD\"; echo \"$INHERITED $NAME $HOSTNAME $STINT_POD_UID $*\"");
    ObjectNode container = container(pod);
    container.put("workingDir", work + "/../work");
    container.putArray("args").add("sh").add("$(NAME)").add("two words");
    container
        .putArray("env")
        .addObject()
        .put("name", "NAME")
        .putObject("valueFrom")
        .putObject("fieldRef")
        .put("fieldPath", "metadata.name");
    cluster.put(pod);
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(log("a", "0.stdout")).containsExactly(work.toString(), "yes a a uid-a a two words");
  }

  @Test
  void namesOfVariablesThatNoShellKnowsArriveToo() throws Exception {
    live();
    ObjectNode pod = PodCluster.newPod("a", "env");
    container(pod).putArray("env").addObject().put("name", "odd.name-1").put("value", "kept");
    cluster.put(pod);
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(log("a", "0.stdout"))
        .contains("odd.name-1=kept", "PWD=" + Path.of("").toAbsolutePath());
    assertThat(log("a", "0.stdout")).noneMatch(line -> line.startsWith("OLDPWD="));
  }

  @Test
  void theCommandHasNoOtherFilesAndDefaultSignalHandlers() throws Exception {
    live();
    cluster.put(
        PodCluster.newPod(
            "a", "sh", "-c", "ls /proc/$$$$/fd; grep -E '^Sig(Blk|Ign)' /proc/self/status"));
    cluster.whenPhase("a", "Succeeded").get();
    List<String> lines = log("a", "0.stdout");
    assertThat(lines).startsWith("0", "1", "2").hasSize(5);
    for (String signals : lines.subList(3, 5)) {
      // The C library ignores two signals for its own use, which are beyond the standard ones.
      long set = Long.parseUnsignedLong(signals.substring(signals.indexOf('\t') + 1), 16);
      assertThat(set & 0x7fff_ffffL).as(signals).isZero();
    }
  }

  @Test
  void aCommandThatCannotStartFailsAtOnceWithAReason() throws Exception {
    live();
    Path script = Files.writeString(dir.resolve("script"), "#!/no/such/interpreter\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    Path plain = Files.writeString(dir.resolve("plain"), "");
    assertThat(startError(PodCluster.newPod("missing", "no-such-command")))
        .startsWith("cannot run \"no-such-command\": not found in PATH");
    assertThat(startError(PodCluster.newPod("path", "/no/such")))
        .isEqualTo("cannot run \"/no/such\": no such file on this machine");
    assertThat(startError(PodCluster.newPod("plain", plain.toString())))
        .isEqualTo("cannot run \"" + plain + "\": the file is not executable");
    assertThat(startError(PodCluster.newPod("script", script.toString())))
        .isEqualTo("cannot run \"" + script + "\": it or its interpreter was not found");
    assertThat(startError(PodCluster.newPod("none"))).contains("no command", "set command");
    ObjectNode nowhere = PodCluster.newPod("nowhere", "true");
    container(nowhere).put("workingDir", "/no/such");
    assertThat(startError(nowhere)).startsWith("workingDir \"/no/such\"");
  }

  @Test
  void aCommandThatExitsWith127ItselfHasNoStartError() throws Exception {
    live();
    cluster.put(PodCluster.newPod("a", "sh", "-c", "exit 127"));
    cluster.whenPhase("a", "Failed").get();
    assertThat(terminated("a").path("exitCode").intValue()).isEqualTo(127);
    assertThat(Json.text(terminated("a"), "reason")).isEqualTo("Error");
  }

  @Test
  void aMachineThatCannotForkNowIsAskedAgainAndNoAttemptFails() throws Exception {
    AtomicInteger refusals = new AtomicInteger(2);
    spawner =
        (argv, environment, files) ->
            refusals.getAndDecrement() > 0 ? -Posix.EAGAIN : Posix.spawn(argv, environment, files);
    assertFirstAttemptSucceedsWithItsThirdStart();
  }

  @Test
  void aShimThatEndsBeforeItsCommandIsReplacedAndNoAttemptFails() throws Exception {
    AtomicInteger broken = new AtomicInteger(2);
    List<String> ends = List.of("/bin/sh", "-c", "read _ <&4; exit 1");
    spawner =
        (argv, environment, files) ->
            Posix.spawn(broken.getAndDecrement() > 0 ? ends : argv, environment, files);
    assertFirstAttemptSucceedsWithItsThirdStart();
  }

  @Test
  void aContainerThatCannotBePreparedFailsWithTheReason() throws Exception {
    live();
    Files.createDirectories(dir.resolve("logs/default"));
    Files.writeString(dir.resolve("logs/default/a"), "in the way");
    cluster.put(PodCluster.newPod("a", "true"));
    time.advanceOnceArmed(Duration.ofMillis(100));
    cluster.whenPhase("a", "Failed").get();
    assertThat(Json.text(terminated("a"), "reason")).isEqualTo("StartError");
    assertThat(Json.text(terminated("a"), "message"))
        .startsWith("cannot prepare the container: ")
        .contains("logs/default/a");
  }

  @Test
  void aPodDeletedWhileItsStartIsTriedAgainFailsWithoutHavingStarted() throws Exception {
    spawner = (_, _, _) -> -Posix.EAGAIN;
    live();
    cluster.put(PodCluster.newPod("a", "true"));
    time.whenArmed(Duration.ofMillis(100)).get();
    cluster.requestDeletion("a", 30);
    cluster.when("a", pod -> pod == null).get();
    assertThat(lastExitCode("a")).isEqualTo(137);
  }

  @Test
  void aFailingContainerIsRestartedAndEveryAttemptKeepsItsLog() throws Exception {
    live();
    ObjectNode pod =
        PodCluster.newPod("a", "sh", "-c", "echo try; [ -e " + dir + "/third ] || exit 5");
    pod.withObjectProperty("spec").put("restartPolicy", "OnFailure");
    cluster.put(pod);
    time.whenArmed(Duration.ofSeconds(10)).get();
    time.advance(Duration.ofSeconds(1));
    cluster.when("a", each -> each != null && !cluster.statusWrites("a").isEmpty()).get();
    JsonNode status = cluster.containerStatus("a");
    assertThat(status.path("restartCount").intValue()).isEqualTo(1);
    assertThat(status.at("/state/waiting/reason").stringValue()).isEqualTo("CrashLoopBackOff");
    assertThat(status.at("/lastState/terminated/exitCode").intValue()).isEqualTo(5);
    Files.writeString(dir.resolve("third"), "");
    time.advance(Duration.ofSeconds(9));
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(cluster.containerStatus("a").path("restartCount").intValue()).isEqualTo(2);
    endWhatIsLeft();
    assertThat(AttemptRecords.read(dir.resolve("logs/default/a")))
        .extracting(record -> record.path("exitCode").intValue())
        .containsExactly(5, 5, 0);
    for (int attempt = 0; attempt < 3; attempt++) {
      assertThat(log("a", attempt + ".stdout")).containsExactly("try");
    }
  }

  @Test
  void aDeletedPodGetsSigtermAndItsObjectIsRemoved() throws Exception {
    live();
    add("a", READY_AND_WAIT);
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      cluster.requestDeletion("a", 30);
      assertThat(pipe.readLine()).isNull();
    }
    cluster.when("a", pod -> pod == null).get();
    assertThat(lastExitCode("a")).isEqualTo(143);
  }

  @Test
  void sigtermIsDelayedUntilTheCommandRuns() throws Exception {
    Path go = dir.resolve("go");
    assertThat(new ProcessBuilder("mkfifo", go.toString()).start().waitFor()).isZero();
    spawner =
        (argv, environment, files) -> {
          List<String> late =
              new ArrayList<>(List.of("/bin/sh", "-c", "read _ <" + go + "; exec \"$0\" \"$@\""));
          late.addAll(argv);
          return Posix.spawn(late, environment, files);
        };
    live();
    cluster.put(PodCluster.newPod("a", "sleep", "1000"));
    BufferedWriter held = Files.newBufferedWriter(go);
    cluster.requestDeletion("a", 30);
    time.whenArmed(Duration.ofMillis(10)).get();
    held.close();
    Path pid = dir.resolve("pods/uid-a/main/0/pid");
    while (!Files.exists(pid) || Files.size(pid) == 0) { // It is made first, and then written.
      assertThat(Thread.interrupted()).as("the command is too late").isFalse();
    }
    time.advance(Duration.ofMillis(10));
    cluster.when("a", pod -> pod == null).get();
    assertThat(lastExitCode("a")).isEqualTo(143);
  }

  @Test
  void aContainerGetsTheStopSignalThatItNames() throws Exception {
    for (String name : List.of("ABRT", "RTMIN+3", "WINCH", "TERM")) {
      Path pipe = dir.resolve(name);
      assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
      ObjectNode pod = PodCluster.newPod("a", "bash", "-c", stopsBy(name, pipe));
      ObjectNode container = (ObjectNode) pod.at("/spec/containers/0");
      container.putObject("lifecycle").put("stopSignal", "SIG" + name);
      Life life = live();
      ExitListener listener = new ExitListener();
      ContainerRun run = new ContainerRun(KubeObject.of(pod), container, 0, false, PodInputs.NONE);
      Attempt attempt = life.runtime.start(run, listener);
      try (BufferedReader ready = Files.newBufferedReader(pipe)) {
        assertThat(ready.readLine()).isEqualTo("ready");
        attempt.signal(Attempt.Signal.TERM);
      }
      assertThat(listener.exit.get().code()).as(name).isEqualTo(5);
      life.runtime.forget("uid-a").get();
    }
  }

  private static String stopsBy(String signal, Path pipe) {
    return "trap 'exit 5' %s; echo ready >%s; while :; do sleep 0.01; done".formatted(signal, pipe);
  }

  @Test
  void podsOfASubdomainFindEachOtherAlsoThoseThatStartLater() throws Exception {
    findEachOther(false);
  }

  @Test
  void aPodThatWasTakenOverFindsPodsThatStartLater() throws Exception {
    findEachOther(true);
  }

  private void findEachOther(boolean restarted) throws Exception {
    assumeTrue(MachineCapabilities.here().whyNoMounts().isEmpty());
    Life life = live();
    for (int i = 0; i < 2; i++) {
      String name = "job-" + i;
      String script =
          "echo >$OUT.up; until getent hosts job-%d.peers >$OUT; do sleep 0.01; done; echo $IP >>$OUT"
              .formatted(1 - i);
      ObjectNode pod =
          PodCluster.newPod(name, "sh", "-c", script.replace("$OUT", dir + "/" + name));
      pod.withObject("spec").put("subdomain", "peers");
      ObjectNode variable =
          ((ObjectNode) pod.at("/spec/containers/0")).putArray("env").addObject().put("name", "IP");
      variable.putObject("valueFrom").putObject("fieldRef").put("fieldPath", "status.podIP");
      Path up = dir.resolve(name + ".up");
      assertThat(new ProcessBuilder("mkfifo", up.toString()).start().waitFor()).isZero();
      cluster.put(pod);
      assertThat(Files.readAllLines(up)).as("it has started").hasSize(1);
      if (i == 0 && restarted) {
        life.die();
        live();
      }
    }
    cluster.whenPhase("job-1", "Succeeded").get();
    cluster.whenPhase("job-0", "Succeeded").get();
    for (int i = 0; i < 2; i++) {
      String own = Json.text(cluster.pod("job-" + i).status(), "podIP");
      String other = Json.text(cluster.pod("job-" + (1 - i)).status(), "podIP");
      List<String> printed = Files.readAllLines(dir.resolve("job-" + i));
      assertThat(printed.getFirst()).startsWith(other + " ");
      assertThat(printed.getLast()).isEqualTo(own).startsWith("127.").isNotEqualTo("127.0.0.1");
    }
  }

  @Test
  void aDeletedPodThatIgnoresTermIsKilledAfterItsGrace() throws Exception {
    Life life = live();
    add("a", "trap '' TERM; exec 3>$PIPE; echo ready >&3; while :; do sleep 1000; done");
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      cluster.requestDeletion("a", 7);
      time.whenArmed(Duration.ofSeconds(7)).get();
      life.loop.submit(() -> {}).get(); // The container's own timer is armed right after the pod's.
      time.advance(Duration.ofSeconds(7));
      assertThat(pipe.readLine()).isNull();
    }
    cluster.when("a", pod -> pod == null).get();
    assertThat(lastExitCode("a")).isEqualTo(137);
  }

  @Test
  void aRunningProcessIsTakenOverByTheNextLife() throws Exception {
    Life first = live();
    add("a", "exec 3>$PIPE; echo $$ >&3; read _ <$PIPE.go; exit 9");
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isNotEmpty();
      first.die();
      Life second = live();
      second.runtime.leftovers().get();
      Files.writeString(dir.resolve("a.pipe.go"), "go\n");
      assertThat(pipe.readLine()).isNull();
    }
    cluster.whenPhase("a", "Failed").get();
    assertThat(lastExitCode("a")).isEqualTo(9);
    assertThat(cluster.containerStatus("a").path("restartCount").intValue()).isZero();
    assertThat(Json.text(cluster.containerStatus("a"), "containerID")).endsWith("/main/0");
  }

  @Test
  void aProcessThatEndedWhileTheRunnerWasDownIsReported() throws Exception {
    Life first = live();
    add("a", "exec 3>$PIPE; echo ready >&3; read _ <$PIPE.go; exit 6");
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      first.die();
      Files.writeString(dir.resolve("a.pipe.go"), "go\n");
      assertThat(pipe.readLine()).isNull();
    }
    live();
    cluster.whenPhase("a", "Failed").get();
    assertThat(lastExitCode("a")).isEqualTo(6);
    assertThat(Json.text(cluster.containerStatus("a"), "containerID")).endsWith("/main/0");
  }

  @Test
  void aLogThatGrewTooLargeWhileTheRunnerWasDownIsTruncated() throws Exception {
    Life first = live();
    add("a", "exec 3>$PIPE; echo ready >&3; read _ <$PIPE.go; head -c 60000000 /dev/zero");
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      first.die();
      Files.writeString(dir.resolve("a.pipe.go"), "go\n");
      assertThat(pipe.readLine()).isNull();
    }
    live();
    cluster.whenPhase("a", "Succeeded").get();
    endWhatIsLeft();
    long given = 60_000_000 - LogLimits.DEFAULT.attemptBytes() / 4 * 3;
    assertThat(log("a", "0.times").getFirst()).startsWith("O " + given + " ");
  }

  @Test
  void aLostAttemptIsRunAgainInTheSamePod() throws Exception {
    Life first = live();
    add("a", "[ -e " + dir + "/again ] && exit 0; " + READY_AND_WAIT);
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      first.die();
      Posix.kill(-pid("a", 0), 9);
      assertThat(pipe.readLine()).isNull();
    }
    Files.writeString(dir.resolve("again"), "");
    live();
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(cluster.containerStatus("a").path("restartCount").intValue()).isZero();
    assertThat(Json.text(cluster.containerStatus("a"), "containerID")).endsWith("/main/1");
  }

  @Test
  void anInterruptedAttemptIsRunAgainWhateverItsExitCode() throws Exception {
    Life first = live();
    add(
        "a",
        "[ -e "
            + dir
            + "/again ] && exit 0; trap 'exit 0' TERM; exec 3>$PIPE; echo ready >&3; sleep 1000 & wait");
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      first.runner.interrupt().get();
      assertThat(pipe.readLine()).isNull();
    }
    assertThat(cluster.phase("a")).isEqualTo("Pending");
    first.die();
    Files.writeString(dir.resolve("again"), "");
    live();
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(Json.text(cluster.containerStatus("a"), "containerID")).endsWith("/main/1");
    assertThat(cluster.statusWrites("a")).hasSize(1);
  }

  @Test
  void anAttemptThatASignalToAllEndsBeforeStintKnowsRunsAgain() throws Exception {
    for (int signal : new int[] {HANGUP, 9, TERM}) {
      String name = "a" + signal;
      Life first = live();
      startAndSignal(name, signal);
      time.whenArmed(ProcessAttempt.DOUBT).get();
      first.runner.interrupt().get();
      first.die();
      assertRunsAgain(name);
    }
  }

  @Test
  void anAttemptThatASignalToAllEndsAfterStintRunsAgain() throws Exception {
    Life first = live();
    add("a", ONCE + READY_AND_WAIT);
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      first.die();
      int shim = pid("a", 0);
      Posix.kill(-shim, TERM);
      assertThat(pipe.readLine()).isNull();
      while (Posix.kill(shim, 0) >= 0 && !AttemptDir.commandLine(shim).isEmpty()) {
        Thread.onSpinWait(); // Until it has recorded the end.
      }
    }
    assertRunsAgain("a");
  }

  @Test
  void anAttemptThatStintDoesNotEndWithFails() throws Exception {
    live();
    startAndSignal("a", TERM);
    time.advanceOnceArmed(ProcessAttempt.DOUBT);
    cluster.whenPhase("a", "Failed").get();
    assertThat(terminated("a").path("exitCode").intValue()).isEqualTo(143);
    Path record = AttemptDir.of(dir.resolve("pods"), "uid-a", "main", 0).path();
    assertThat(record.resolve("interrupted")).doesNotExist();
  }

  @Test
  void aCommandThatAloneIsEndedFailsAtOnce() throws Exception {
    live();
    cluster.put(PodCluster.newPod("a", "sh", "-c", "kill -TERM $$$$"));
    cluster.whenPhase("a", "Failed").get();
    assertThat(terminated("a").path("exitCode").intValue()).isEqualTo(143);
  }

  @Test
  void aSuccessCountsAtOnceAlthoughItsShimIsToldToEnd() throws Exception {
    live();
    cluster.put(PodCluster.newPod("a", "sh", "-c", "trap '' TERM; kill -TERM 0; exit 0"));
    cluster.whenPhase("a", "Succeeded").get();
  }

  /** Starts a pod that waits only in its first attempt, and signals its whole group. */
  private void startAndSignal(String name, int signal) throws Exception {
    add(name, ONCE + READY_AND_WAIT);
    try (BufferedReader pipe = openPipe(name)) {
      assertThat(pipe.readLine()).isEqualTo("ready");
    }
    Posix.kill(-pid(name, 0), signal);
  }

  private void assertRunsAgain(String name) throws Exception {
    Life next = live();
    cluster.whenPhase(name, "Succeeded").get();
    assertThat(Json.text(cluster.containerStatus(name), "containerID")).endsWith("/main/1");
    assertThat(cluster.containerStatus(name).path("restartCount").intValue()).isZero();
    assertThat(cluster.statusWrites(name))
        .noneMatch(write -> "Failed".equals(Json.text(write.status(), "phase")));
    next.runner.interruptNow().join();
    next.die();
  }

  @Test
  void processesOfRemovedPodsAreEndedAndTheirRecordIsRemoved() throws Exception {
    Life first = live();
    add("a", READY_AND_WAIT);
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      first.die();
      cluster.remove("a");
      live();
      assertThat(pipe.readLine()).isNull();
    }
    Life last = lives.getLast();
    last.runtime.forget("uid-a").get();
    assertThat(dir.resolve("pods/uid-a")).doesNotExist();
    assertThat(dir.resolve("logs/default/a/a/main.0.stdout")).exists();
  }

  @Test
  void thePodsRecordIsRemovedOnceItsLastStatusIsWritten() throws Exception {
    Life life = live();
    cluster.put(PodCluster.newPod("a", "true"));
    cluster.whenPhase("a", "Succeeded").get();
    life.runtime.forget("uid-a").get();
    assertThat(dir.resolve("pods/uid-a")).doesNotExist();
  }

  @Test
  void aPodThatPrintsNothingLeavesItsLogsToTheNextOne() throws Exception {
    Life life = live();
    Object first = logOfAPod(life, "first", "exit 0");
    Object loud = logOfAPod(life, "loud", "echo a");
    assertThat(loud.equals(first)).isEqualTo(shim().isCompiled());
    assertThat(logOfAPod(life, "last", "exit 0")).isNotEqualTo(first);
    endWhatIsLeft();
    assertThat(log("loud", "0.stdout")).containsExactly("a");
    assertThat(AttemptRecords.read(dir.resolve("logs/default/loud")))
        .singleElement()
        .matches(record -> !record.has("silent"));
    assertThat(Files.exists(dir.resolve("logs/default/first/first")))
        .isEqualTo(!shim().isCompiled());
    assertThat(AttemptRecords.read(dir.resolve("logs/default/first")))
        .singleElement()
        .matches(record -> record.path("silent").booleanValue());
  }

  /** Returns the identity of its log file; the pod has ended and is forgotten by then. */
  private Object logOfAPod(Life life, String name, String script) throws Exception {
    add(name, WAIT_FOR_GO + script);
    Object key;
    try (BufferedReader pipe = openPipe(name)) {
      assertThat(pipe.readLine()).isEqualTo("ready");
      Path log = dir.resolve("logs/default/" + name + "/" + name + "/main.0.stdout");
      key = Files.readAttributes(log, BasicFileAttributes.class).fileKey();
      Files.writeString(dir.resolve(name + ".pipe.go"), "go\n");
    }
    cluster.whenPhase(name, "Succeeded").get();
    life.runtime.forget("uid-" + name).get();
    return key;
  }

  @Test
  void logsThatAnotherPodOfTheSameNameHasAreNotHandedOn() throws Exception {
    Life life = live();
    ExitListener first = start(life, "a", "uid-first");
    assertThat(first.exit.get().code()).isZero();
    ExitListener twin = start(life, "a", "uid-twin");
    assertThat(twin.exit.get().code()).isZero();
    life.runtime.forget("uid-twin").get();
    ExitListener next = start(life, "b", "uid-next");
    assertThat(next.exit.get().code()).isZero();
    assertThat(dir.resolve("logs/default/a/a/main.0.stdout")).isEmptyFile();
    life.runtime.forget("uid-first").get();
    life.runtime.forget("uid-next").get();
  }

  private static ExitListener start(Life life, String name, String uid) {
    ObjectNode pod = PodCluster.newPod(name, "true");
    pod.withObject("metadata").put("uid", uid);
    ExitListener listener = new ExitListener();
    life.runtime.start(
        new ContainerRun(KubeObject.of(pod), container(pod), 0, false, PodInputs.NONE), listener);
    return listener;
  }

  @Test
  void anAttemptThatFailedInsideIsReportedOnceAlsoWhenItsEndComesLater() throws Exception {
    List<Integer> shims = new ArrayList<>();
    spawner =
        (argv, environment, files) -> {
          int pid = Posix.spawn(argv, environment, files);
          shims.add(pid);
          return pid;
        };
    Life life = live();
    ObjectNode pod = PodCluster.newPod("x", "sleep", "1000");
    List<Exit> exits = new CopyOnWriteArrayList<>();
    AttemptListener faulty =
        new AttemptListener() {
          @Override
          public void onStarted(StartedContainer container) {
            throw new IllegalStateException("as told");
          }

          @Override
          public void onWaiting(String reason, String message) {}

          @Override
          public void onExited(Exit exit) {
            exits.add(exit);
          }
        };
    life.runtime.start(
        new ContainerRun(KubeObject.of(pod), container(pod), 0, false, PodInputs.NONE), faulty);
    cluster.put(PodCluster.newPod("b", "true"));
    cluster.whenPhase("b", "Succeeded").get();
    while (Posix.kill(shims.getFirst(), 0) >= 0) {
      Thread.onSpinWait(); // Until the runtime has seen its end.
    }
    cluster.put(PodCluster.newPod("c", "true"));
    cluster.whenPhase("c", "Succeeded").get();
    assertThat(exits)
        .singleElement()
        .satisfies(exit -> assertThat(exit.message()).isEqualTo("internal error: as told"));
    life.runtime.forget("uid-x").get();
  }

  @Test
  void aDaemonEndsWithItsPod() throws Exception {
    Life life = live();
    addWithDaemon("a", "setsid", "read _ <$PIPE.go");
    try (BufferedReader daemon = openPipe("a")) {
      assertThat(daemon.readLine()).isEqualTo("ready");
      Files.writeString(dir.resolve("a.pipe.go"), "go\n");
      cluster.whenPhase("a", "Succeeded").get();
      life.runtime.forget("uid-a").get();
      assertThat(daemon.readLine()).as("it ends").isNull();
    }
  }

  @Test
  void aDaemonThatOutlivedStintAndItsShimEndsWithTheNextStart() throws Exception {
    Life first = live();
    addWithDaemon("a", "setsid", "sleep 1000");
    try (BufferedReader daemon = openPipe("a")) {
      assertThat(daemon.readLine()).isEqualTo("ready");
      first.die();
      Posix.kill(-pid("a", 0), 9);
      cluster.remove("a");
      live();
      assertThat(daemon.readLine()).as("it ends").isNull();
    }
  }

  @Test
  void aDaemonOfAnExecCommandEndsWithThePod() throws Exception {
    Life life = live();
    add("a", READY_AND_WAIT);
    try (BufferedReader pipe = openPipe("a")) {
      assertThat(pipe.readLine()).isEqualTo("ready");
    }
    KubeObject pod = cluster.pod("a");
    List<String> argv = List.of("sh", "-c", daemon("setsid"));
    life.runtime.exec(pod, container(pod.tree()), argv, false).exitCode().get();
    try (BufferedReader daemon = openPipe("a")) {
      assertThat(daemon.readLine()).isEqualTo("ready");
      cluster.requestDeletion("a", 0);
      assertThat(daemon.readLine()).as("it ends").isNull();
    }
  }

  private void assertFirstAttemptSucceedsWithItsThirdStart() throws Exception {
    live();
    cluster.put(PodCluster.newPod("a", "true"));
    for (int delay : new int[] {100, 200}) {
      time.advanceOnceArmed(Duration.ofMillis(delay));
    }
    cluster.whenPhase("a", "Succeeded").get();
    assertThat(Json.text(cluster.containerStatus("a"), "containerID")).endsWith("/main/0");
  }

  Life live() throws IOException {
    return live(true);
  }

  private Life live(boolean usePidfds) throws IOException {
    Life life = new Life(usePidfds);
    lives.add(life);
    return life;
  }

  /** Adds a pod that runs a script; {@code $PIPE} and {@code $PIPE.go} are named pipes. */
  void add(String name, String script) throws Exception {
    Path pipe = dir.resolve(name + ".pipe");
    Process made = new ProcessBuilder("mkfifo", pipe.toString(), pipe + ".go").start();
    assertThat(made.waitFor()).isZero();
    ObjectNode pod = PodCluster.newPod(name, "sh", "-c", script);
    container(pod).putArray("env").addObject().put("name", "PIPE").put("value", pipe.toString());
    cluster.put(pod);
  }

  /**
   * Adds a pod whose command starts a daemon, which has no parent and holds {@code $PIPE}.
   *
   * @param starter the program that starts it
   * @param then what the command does then
   */
  void addWithDaemon(String name, String starter, String then) throws Exception {
    add(name, daemon(starter) + "; " + then);
  }

  private static String daemon(String starter) {
    String script = "exec 3>$1; echo ready >&3; exec sleep 1000";
    return "(" + starter + " sh -c '" + script + "' daemon $PIPE &)";
  }

  BufferedReader openPipe(String name) throws IOException {
    return Files.newBufferedReader(dir.resolve(name + ".pipe"));
  }

  private int pid(String name, int attempt) throws IOException {
    return AttemptDir.of(dir.resolve("pods"), "uid-" + name, "main", attempt)
        .identity()
        .orElseThrow()
        .pid();
  }

  private List<String> log(String name, String file) throws IOException {
    return Files.readAllLines(dir.resolve("logs/default/" + name + "/" + name + "/main." + file));
  }

  private String startError(ObjectNode pod) throws Exception {
    cluster.put(pod);
    String name = String.valueOf(Json.text(pod.get("metadata"), "name"));
    cluster.whenPhase(name, "Failed").get();
    assertThat(Json.text(terminated(name), "reason")).isEqualTo("StartError");
    assertThat(terminated(name).path("exitCode").intValue()).isEqualTo(128);
    return String.valueOf(Json.text(terminated(name), "message"));
  }

  private JsonNode terminated(String name) {
    return cluster.containerStatus(name).at("/state/terminated");
  }

  private int lastExitCode(String name) {
    return cluster
        .statusWrites(name)
        .getLast()
        .status()
        .at("/containerStatuses/0/state/terminated/exitCode")
        .intValue();
  }

  private static ObjectNode container(ObjectNode pod) {
    return (ObjectNode) pod.at("/spec/containers/0");
  }
}
