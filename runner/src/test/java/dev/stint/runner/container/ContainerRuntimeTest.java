package dev.stint.runner.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.EventLoop;
import dev.stint.harness.PodBuilder;
import dev.stint.harness.TestTime;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.runner.PodCluster;
import dev.stint.runner.Runner;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.access.ExecTarget;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.RetryDelays;
import dev.stint.runner.spec.Handler;
import dev.stint.runner.spec.PodInputs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The runner with a real Podman and a real Docker, over their sockets. Each is skipped if it is not
 * installed. Nothing waits for time to pass, only for the cluster and for named pipes in a hostPath
 * volume.
 *
 * <p>It is slow because the daemon takes half a second to start a container, and as long to remove
 * it.
 */
@Timeout(60)
@ParameterizedClass
@EnumSource
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("the daemon of these tests, which run one after the other")
class ContainerRuntimeTest {
  /** Differs from every other delay here. */
  private static final Duration IMAGE_TIMEOUT = Duration.ofMinutes(7);

  private static final Duration STATUS_DELAY = Duration.ofSeconds(1);

  /** Small, so that a daemon soon drops old lines. */
  private static final LogLimits LOGS =
      new LogLimits(128 << 10, LogLimits.DEFAULT.age(), LogLimits.DEFAULT.bytes());

  private static final String BOOT = "boot-1";

  private static @Nullable TestDaemon running;

  private final TestDaemon.Kind kind;

  @TempDir Path dir;
  private final PodCluster cluster = new PodCluster();
  private final TestTime time = new TestTime();
  private final List<Life> lives = new ArrayList<>();

  /** One life of the whole program. */
  private final class Life {
    final ExecutorService loop = Executors.newSingleThreadExecutor();
    final ContainerRuntime runtime;
    final Runner runner;

    Life(String bootId) throws IOException {
      runtime =
          ContainerRuntime.open(
              dir.resolve("pods"),
              dir.resolve("logs"),
              daemon().socket(),
              time,
              time,
              new ContainerOptions(List.of(dir), Map.of(), LOGS),
              bootId);
      RunnerOptions options =
          new RunnerOptions("here", 8, _ -> true, STATUS_DELAY)
              .withInputsTimeout(IMAGE_TIMEOUT)
              .withRepeatsOfLost(pod -> pod.name().equals("again"));
      runner =
          new Runner(cluster, runtime, new EventLoop(loop, time, time, new Random(1)), options);
      runner.start().join();
    }

    /** Ends it as kill -9 does: nothing is reported, and nothing is checked any more. */
    void die() {
      runner.close();
      runtime.close();
      loop.close();
    }
  }

  ContainerRuntimeTest(TestDaemon.Kind kind) {
    this.kind = kind;
  }

  @BeforeParameterizedClassInvocation
  static void startDaemon(TestDaemon.Kind kind) throws Exception {
    running = kind.start();
  }

  @AfterParameterizedClassInvocation
  static void stopDaemon() throws Exception {
    if (running != null) {
      running.close();
      running = null;
    }
  }

  private static TestDaemon daemon() {
    return Objects.requireNonNull(running);
  }

  @AfterEach
  void endWhatIsLeft() throws Exception {
    lives.stream().filter(life -> !life.loop.isShutdown()).forEach(Life::die);
    daemon().removeContainers();
  }

  @Test
  void exitCodesAndLogsAreReportedAndNothingIsLeft() throws Exception {
    live();
    add("good", "echo out; echo err >&2");
    add("bad", "exit 3");
    ends("good", "Succeeded");
    ends("bad", "Failed");
    assertThat(terminated("bad").path("exitCode").intValue()).isEqualTo(3);
    assertThat(Json.text(terminated("bad"), "reason")).isEqualTo("Error");
    assertThat(log("good", "0.stdout")).containsExactly("out");
    assertThat(log("good", "0.stderr")).containsExactly("err");
    JsonNode status = cluster.containerStatus("good");
    assertThat(Json.text(status, "containerID")).startsWith(kind.scheme());
    assertThat(Json.text(status, "imageID")).contains("sha256:");
    live().runtime.forget("uid-good").get();
    live().runtime.forget("uid-bad").get();
    assertThat(daemon().call("ps", "--all", "--quiet")).isBlank();
    assertThat(dir.resolve("pods")).isEmptyDirectory();
  }

  @Test
  void aContainerGetsWhatItsPodAsksFor() throws Exception {
    live();
    cluster.addInput(Kind.CONFIG_MAP, "c", "WORD", "hello");
    ObjectNode pod =
        pod(
            "a",
            """
            pwd; id -u; id -g; id -G; hostname; echo $WORD $IP $HOSTNAME
            cat /config/WORD; echo
            grep CapBnd /proc/self/status; grep NoNewPrivs /proc/self/status
            touch /new 2>&1; echo made >/scratch/x; stat -c %g /scratch/x
            echo last words >/dev/termination-log\
            """);
    ObjectNode container = container(pod);
    container.put("workingDir", "/tmp");
    container.putArray("envFrom").addObject().putObject("configMapRef").put("name", "c");
    container
        .putArray("env")
        .addObject()
        .put("name", "IP")
        .putObject("valueFrom")
        .putObject("fieldRef")
        .put("fieldPath", "status.podIP");
    mount(pod, "config", "/config").putObject("configMap").put("name", "c");
    mount(pod, "scratch", "/scratch").putObject("emptyDir");
    container.set(
        "securityContext",
        Json.parse(
            """
            {"runAsUser": 1000, "runAsGroup": 1001, "readOnlyRootFilesystem": true,
             "allowPrivilegeEscalation": false,
             "capabilities": {"drop": ["ALL"], "add": ["NET_BIND_SERVICE"]}}\
            """));
    ((ObjectNode) pod.get("spec")).putObject("securityContext").put("fsGroup", 2000);
    cluster.put(pod);
    ends("a", "Succeeded");
    String ip = Json.text(cluster.pod("a").status(), "podIP");
    assertThat(log("a", "0.stdout"))
        .containsExactly(
            "/tmp",
            "1000",
            "1001",
            "1001 2000",
            "a",
            "hello " + ip + " a",
            "hello",
            "CapBnd:\t0000000000000400",
            "NoNewPrivs:\t1",
            "touch: /new: Read-only file system",
            "2000");
    assertThat(Json.text(terminated("a"), "message")).isEqualTo("last words\n");
    assertThat(ip).doesNotStartWith("127.");
  }

  @Test
  void containersOfAPodShareNetworkAndIpcAndInitContainersComeFirst() throws Exception {
    live();
    String namespaces = "readlink /proc/self/ns/net; readlink /proc/self/ns/ipc";
    ObjectNode pod =
        pod(
            "a",
            namespaces
                + "; until nc 127.0.0.1 7777; do sleep 0.02; done; hostname; cat /etc/hosts | grep friend");
    ObjectNode spec = (ObjectNode) pod.get("spec");
    spec.set(
        "hostAliases",
        Json.read(
            "[{'ip':'192.0.2.7','hostnames':['friend']}]".replace("'", "\"").getBytes(UTF_8)));
    ObjectNode init = PodBuilder.newContainer("init", "sh", "-c", namespaces);
    ObjectNode side =
        PodBuilder.newContainer(
            "side", "sh", "-c", "echo from the side | nc -l -p 7777; sleep 1000");
    side.put("restartPolicy", "Always");
    List.of(init, side).forEach(each -> each.put("image", TestDaemon.IMAGE));
    spec.putArray("initContainers").addAll(List.of(init, side));
    spec.put("terminationGracePeriodSeconds", 0);
    cluster.put(pod);
    ends("a", "Succeeded");
    List<String> main = log("a", "0.stdout");
    assertThat(main.subList(0, 2))
        .isEqualTo(Files.readAllLines(dir.resolve("logs/default/a/a/init.0.stdout")));
    assertThat(main.subList(2, 4)).containsExactly("from the side", "a");
    assertThat(main.get(4)).contains("192.0.2.7");
  }

  @Test
  void argumentsAreForTheImagesEntrypointAndACommandReplacesIt() throws Exception {
    daemon()
        .call(
            "import",
            "--change",
            "ENTRYPOINT [\"echo\", \"entry\"]",
            "--change",
            "CMD [\"cmd\"]",
            daemon().archive().toString(),
            "stint.test/entry:1");
    live();
    add("plain", pod -> container(pod).remove("command"));
    add(
        "args",
        pod -> {
          container(pod).remove("command");
          container(pod).putArray("args").add("$(NAME)");
          container(pod).putArray("env").addObject().put("name", "NAME").put("value", "arg");
        });
    add("command", pod -> container(pod).putArray("command").add("echo").add("own"));
    for (String name : List.of("plain", "args", "command")) {
      ends(name, "Succeeded");
    }
    assertThat(log("plain", "0.stdout")).containsExactly("entry cmd");
    assertThat(log("args", "0.stdout")).containsExactly("entry arg");
    assertThat(log("command", "0.stdout")).containsExactly("own");
  }

  @Test
  void aMissingProgramIsReported() throws Exception {
    live();
    ObjectNode pod = pod("a", "");
    container(pod).putArray("command").add("/no/such/program");
    cluster.put(pod);
    ends("a", "Failed");
    assertThat(Json.text(terminated("a"), "reason")).isEqualTo("StartError");
    assertThat(Json.text(terminated("a"), "message")).contains("/no/such/program");
  }

  @Test
  void memoryThatIsExceededIsReportedAsSuch() throws Exception {
    live();
    ObjectNode pod = pod("a", "read _ </host/go; x=a; while true; do x=$x$x; done");
    container(pod).putObject("resources").putObject("limits").put("memory", "16Mi");
    pipe("go");
    cluster.put(pod);
    Files.writeString(dir.resolve("go"), "go\n");
    ends("a", "Failed");
    assertThat(terminated("a").path("exitCode").intValue()).isEqualTo(137);
    assertThat(Json.text(terminated("a"), "reason")).isEqualTo("OOMKilled");
    // Podman's monitor of containers marks it in the directory in which its service was started.
    assertThat(Path.of("oom")).doesNotExist();
  }

  /** Limits above a node's capacity are usual. */
  @Test
  void aLimitOfCpuMayBeAboveTheMachinesCores() throws Exception {
    live();
    pipe("up");
    ObjectNode pod = pod("a", "echo up >/host/up; sleep 1000");
    ObjectNode resources = container(pod).putObject("resources");
    resources.putObject("limits").put("cpu", "1000");
    resources.putObject("requests").put("cpu", "1m");
    cluster.put(pod);
    assertThat(line("up")).isEqualTo("up");
    assertThat(daemon().call("inspect", "--format={{.HostConfig.CpuQuota}}", "stint-uid-a-main-0"))
        .isEqualToIgnoringWhitespace("100000000");
  }

  @Test
  void aPodThatIsDeletedGetsTermAndWhatIgnoresItIsKilled() throws Exception {
    live();
    pipe("polite");
    pipe("stubborn");
    add("polite", "trap 'exit 7' TERM; echo up >/host/polite; while :; do sleep 0.01; done");
    add("stubborn", "trap '' TERM; echo up >/host/stubborn; while :; do sleep 0.01; done");
    for (String name : List.of("polite", "stubborn")) {
      assertThat(line(name)).isEqualTo("up");
      cluster.requestDeletion(name, 29);
    }
    cluster.when("polite", pod -> pod == null).get();
    assertThat(lastExitCode("polite")).isEqualTo(7);
    // No other timer has this delay, such as the one that looks for pods at rest.
    time.advanceOnceArmed(Duration.ofSeconds(29));
    cluster.when("stubborn", pod -> pod == null).get();
    assertThat(lastExitCode("stubborn")).isEqualTo(137);
  }

  @Test
  void theNextLifeTakesOverWhatRunsAndLearnsWhatHasEnded() throws Exception {
    pipe("up");
    pipe("go");
    Life first = live();
    add("runs", "echo one; echo up >/host/up; read _ </host/go; echo two; exit 3");
    assertThat(line("up")).isEqualTo("up");
    pipe("done");
    pipe("on");
    add("ends", "echo on >/host/done; read _ </host/on; echo last; exit 4");
    assertThat(line("done")).isEqualTo("on");
    first.die();
    Files.writeString(dir.resolve("on"), "on\n");
    daemon().call("wait", "stint-uid-ends-main-0");
    live();
    ends("ends", "Failed");
    assertThat(lastExitCode("ends")).isEqualTo(4);
    assertThat(log("ends", "0.stdout")).containsExactly("last");
    Files.writeString(dir.resolve("go"), "go\n");
    ends("runs", "Failed");
    assertThat(lastExitCode("runs")).isEqualTo(3);
    assertThat(log("runs", "0.stdout")).containsExactly("one", "two");
    assertThat(cluster.containerStatus("runs").path("restartCount").intValue()).isZero();
  }

  @Test
  void theEndOfALargeLogIsKeptAcrossARestart() throws Exception {
    pipe("up");
    pipe("go");
    Life first = live();
    String flood = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo a line of a flood; done; ";
    add("whole", flood + "echo end");
    add("runs", flood + "echo up >/host/up; read _ </host/go; echo later; " + flood + "echo end");
    ends("whole", "Succeeded");
    assertThat(log("whole", "0.stdout")).last().isEqualTo("end");
    assertThat(line("up")).isEqualTo("up");
    first.die();
    live();
    Files.writeString(dir.resolve("go"), "go\n");
    ends("runs", "Succeeded");
    assertThat(log("runs", "0.stdout")).last().isEqualTo("end");
    assertThat(log("runs", "0.stdout")).filteredOn("later"::equals).hasSizeLessThan(2);
  }

  @Test
  void aRestartOfTheMachineLosesTheAttempt() throws Exception {
    pipe("up");
    Life first = live();
    add("a", "echo up >/host/up; sleep 1000");
    assertThat(line("up")).isEqualTo("up");
    first.die();
    daemon().call("kill", "stint-uid-a-main-0");
    daemon().call("wait", "stint-uid-a-main-0");
    live("boot-2");
    ends("a", "Failed");
    assertThat(Json.text(terminated("a"), "reason")).isEqualTo("Unknown");
    assertThat(status("a").at("/conditions").toString()).contains("DisruptionTarget");
  }

  @Test
  void anAttemptThatARestartOfTheMachineTookIsRunAgainIfItsPodIsChosen() throws Exception {
    pipe("up");
    Life first = live();
    add("again", "[ -e /host/up2 ] && exit 0; echo up >/host/up; sleep 1000");
    assertThat(line("up")).isEqualTo("up");
    first.die();
    daemon().call("kill", "stint-uid-again-main-0");
    daemon().call("wait", "stint-uid-again-main-0");
    Files.createFile(dir.resolve("up2"));
    live("boot-2");
    ends("again", "Succeeded");
    assertThat(status("again").at("/containerStatuses/0/restartCount").intValue()).isZero();
  }

  @Test
  void anInterruptedContainerIsRunAgain() throws Exception {
    pipe("up");
    Life first = live();
    ObjectNode pod =
        pod("a", "echo up >/host/up; trap 'exit 9' TERM; while :; do sleep 0.01; done");
    cluster.put(pod);
    assertThat(line("up")).isEqualTo("up");
    first.runner.interruptNow().join();
    first.die();
    assertThat(daemon().call("ps", "--quiet")).isBlank();
    live();
    assertThat(line("up")).isEqualTo("up");
    assertThat(daemon().call("ps", "--all", "--format={{.Names}}")).contains("stint-uid-a-main-1");
  }

  /** The daemon may never come back. */
  @Test
  void anInterruptionDoesNotWaitForADaemonThatIsAway() throws Exception {
    pipe("up");
    Life first = live();
    add("a", "echo up >/host/up; trap '' TERM; while :; do sleep 0.01; done");
    assertThat(line("up")).isEqualTo("up");
    until("a", _ -> cluster.phase("a").equals("Running"));
    daemon().stopService();
    CompletableFuture<?> interrupted = first.runner.interruptNow();
    time.whenArmed(ContainerAttempt.PATIENCE).get();
    assertThat(interrupted).isNotDone();
    time.advance(ContainerAttempt.PATIENCE);
    interrupted.get();
    assertThat(first.runtime.givenUp()).isOne();
    first.die();
    daemon().startService();
    live();
    assertThat(line("up")).isEqualTo("up");
    assertThat(daemon().call("ps", "--all", "--format={{.Names}}"))
        .contains("stint-uid-a-main-1")
        .doesNotContain("stint-uid-a-main-0");
    assertThat(status("a").at("/containerStatuses/0/restartCount").intValue()).isZero();
  }

  @Test
  void anAttemptWithTheNumberOfAnInterruptedOneIsTakenOver() throws Exception {
    pipe("up");
    pipe("go");
    Life first = live();
    add("a", "echo begun >>/host/begins; echo up >/host/up; read _ </host/go");
    assertThat(line("up")).isEqualTo("up");
    first.runner.interruptNow().join();
    first.die();
    // As a life does that is killed before it has made the next one.
    daemon().call("rm", "--force", "stint-uid-a-main-0");
    Life second = live();
    assertThat(line("up")).isEqualTo("up");
    second.die();
    Files.writeString(dir.resolve("go"), "go\n");
    daemon().call("wait", "stint-uid-a-main-0");
    live();
    ends("a", "Succeeded");
    assertThat(dir.resolve("begins")).hasContent("begun\nbegun\n");
  }

  @Test
  void whileTheDaemonIsAwayNothingIsLost() throws Exception {
    pipe("up");
    pipe("go");
    pipe("down");
    live();
    add(
        "a",
        "echo before; echo up >/host/up; read _ </host/go; echo after; echo down >/host/down; exit 5");
    assertThat(line("up")).isEqualTo("up");
    // Otherwise the service may be killed while it starts the container, and be asked to start it
    // again.
    until("a", _ -> cluster.phase("a").equals("Running"));
    daemon().stopService();
    time.whenArmed(Duration.ofMillis(100)).get();
    Files.writeString(dir.resolve("go"), "go\n");
    assertThat(line("down")).isEqualTo("down");
    daemon().startService();
    until("a", _ -> cluster.phase("a").equals("Failed"));
    assertThat(terminated("a").path("exitCode").intValue()).isEqualTo(5);
    // While Docker is down, it loses the output of containers that end before it is back.
    assertThat(log("a", "0.stdout"))
        .isEqualTo(List.of("before", "after").subList(0, kind.keepsLogsWhileAway() ? 2 : 1));
  }

  @Test
  void anImageThatIsNotToBeHadIsWaitedForAndThenGivenUp() throws Exception {
    live();
    assertThat(givenUp("never", "x.test/none:1", "Never")).isEqualTo("ErrImageNeverPull");
    assertThat(givenUp("odd", "Not An Image", "Always")).isEqualTo("InvalidImageName");
    assertThat(givenUp("pull", "127.0.0.1:1/none:1", "Always")).isEqualTo("ErrImagePull");
    assertThat(Json.text(cluster.pod("pull").status(), "message")).contains("127.0.0.1:1/none");
    assertThat(cluster.events())
        .contains(
            "never Warning Failed: Container image \"x.test/none:1\" is not present with pull"
                + " policy of Never x1")
        .anyMatch(event -> event.startsWith("pull Normal Pulling: Pulling image \"127.0.0.1:1"));
  }

  /** Checks why a pod waits, and then fails. */
  private String givenUp(String name, String image, String policy) throws Exception {
    ObjectNode pod = pod(name, "true");
    container(pod).put("image", image).put("imagePullPolicy", policy);
    cluster.put(pod);
    time.whenArmed(IMAGE_TIMEOUT).get();
    time.advanceOnceArmed(STATUS_DELAY);
    JsonPointer reason = JsonPointer.compile("/containerStatuses/0/state/waiting/reason");
    cluster
        .when(name, found -> found != null && found.tree().at("/status").at(reason).isString())
        .get();
    String told = status(name).at(reason).stringValue();
    time.advance(IMAGE_TIMEOUT);
    ends(name, "Failed");
    assertThat(Json.text(cluster.pod(name).status(), "reason")).isIn(told, "ImagePullBackOff");
    return told;
  }

  @Test
  void probesAskThePodByItsAddress() throws Exception {
    live();
    ObjectNode pod = pod("a", "mkdir /www; echo hi >/www/x; httpd -p 8080 -h /www; sleep 1000");
    ObjectNode probe =
        container(pod)
            .putObject("readinessProbe")
            .put("periodSeconds", 1)
            .put("timeoutSeconds", 1_000_000);
    probe.putObject("httpGet").put("port", 8080).put("path", "/x");
    cluster.put(pod);
    until("a", found -> found.tree().at("/status/containerStatuses/0/ready").booleanValue(false));
    assertThat(cluster.phase("a")).isEqualTo("Running");
  }

  @Test
  void podsOfASubdomainFindEachOtherAlsoThoseThatStartLater() throws Exception {
    live();
    for (int i = 0; i < 2; i++) {
      pipe("up" + i);
      String peer = "grep -w job-" + (1 - i) + ".peers /etc/hosts";
      ObjectNode pod =
          pod(
              "job-" + i,
              "echo up >/host/up" + i + "; until " + peer + "; do sleep 0.02; done; hostname -i");
      pod.withObject("spec").put("subdomain", "peers");
      cluster.put(pod);
      assertThat(line("up" + i)).isEqualTo("up");
    }
    for (int i = 0; i < 2; i++) {
      ends("job-" + i, "Succeeded");
    }
    for (int i = 0; i < 2; i++) {
      List<String> printed = log("job-" + i, "0.stdout");
      String other = String.valueOf(Json.text(status("job-" + (1 - i)), "podIP"));
      assertThat(printed.getFirst()).startsWith(other + "\t");
      assertThat(printed.getLast()).isEqualTo(Json.text(status("job-" + i), "podIP"));
    }
  }

  @Test
  void anExecCommandHasInputAndOutput() throws Exception {
    pipe("up");
    Life life = live();
    ObjectNode pod = pod("a", "echo up >/host/up; sleep 1000");
    cluster.put(pod);
    assertThat(line("up")).isEqualTo("up");
    KubeObject object = KubeObject.of(pod);
    List<String> command = List.of("sh", "-c", "read x; echo got $x; echo err >&2; exit 4");
    try (ExecTarget exec = life.runtime.exec(object, container(pod), command, false)) {
      exec.stdin().write("word\n".getBytes(UTF_8));
      assertThat(new String(exec.stdout().readAllBytes(), UTF_8)).isEqualTo("got word\n");
      assertThat(new String(exec.stderr().readAllBytes(), UTF_8)).isEqualTo("err\n");
      assertThat(exec.exitCode().get()).isEqualTo(4);
    }
  }

  /** Otherwise each probe of a service that hangs would leave a process. */
  @Test
  void aProbeThatIsCancelledLeavesNoProcess() throws Exception {
    pipe("up");
    Life life = live();
    ObjectNode pod = pod("a", "echo up >/host/up; sleep 1000");
    cluster.put(pod);
    assertThat(line("up")).isEqualTo("up");
    ContainerRun run =
        new ContainerRun(KubeObject.of(pod), container(pod), 0, false, PodInputs.NONE);
    List<String> argv = List.of("sh", "-c", "sleep 1000; echo " + dir + "; exit 4");
    CompletableFuture<Handler.Result> probe = life.runtime.handle(run, new Handler.Exec(argv));
    List<ProcessHandle> processes = List.of();
    while (processes.isEmpty()) {
      processes = processes(argv);
    }
    probe.cancel(true);
    for (ProcessHandle process : processes) {
      process.onExit().get();
    }
  }

  @Test
  void aProbeThatTheDaemonCannotRunSaysNothingAboutTheContainer() throws Exception {
    pipe("up");
    Life life = live();
    ObjectNode pod = pod("a", "echo up >/host/up; sleep 1000");
    cluster.put(pod);
    assertThat(line("up")).isEqualTo("up");
    until("a", _ -> cluster.phase("a").equals("Running"));
    daemon().stopService();
    ContainerRun run =
        new ContainerRun(KubeObject.of(pod), container(pod), 0, false, PodInputs.NONE);
    Handler.Result result = life.runtime.handle(run, new Handler.Exec(List.of("true"))).get();
    daemon().startService();
    assertThat(result.known()).as(result.message()).isFalse();
  }

  /** Returns the processes of the machine with a command line. */
  private static List<ProcessHandle> processes(List<String> argv) {
    String line = String.join("\0", argv) + "\0";
    return ProcessHandle.allProcesses()
        .filter(each -> AttemptDir.commandLine(Math.toIntExact(each.pid())).equals(line))
        .toList();
  }

  private Life live() throws IOException {
    return live(BOOT);
  }

  private Life live(String bootId) throws IOException {
    Life life = new Life(bootId);
    lives.add(life);
    return life;
  }

  @Test
  void aPartOfAVolumeIsMountedAndLeavesNoMountOnTheMachine() throws Exception {
    live();
    Files.createDirectories(dir.resolve("parts"));
    ObjectNode pod = pod("a", "echo in >/part/file && cat /sub/file");
    mount(pod, "below", "/part").putObject("hostPath").put("path", dir.resolve("parts").toString());
    container(pod)
        .withArray("volumeMounts")
        .addObject()
        .put("name", "host")
        .put("mountPath", "/sub")
        .put("subPath", "parts");
    cluster.put(pod);
    ends("a", "Succeeded");
    assertThat(log("a", "0.stdout")).containsExactly("in");
    assertThat(Files.readAllLines(Path.of("/proc/self/mountinfo")))
        .filteredOn(line -> line.contains(dir.toString()))
        .noneMatch(line -> line.contains("/.mounts/"));
  }

  @Test
  void aClaimIsADirectoryThatIsKept() throws Exception {
    live();
    ObjectNode pod = pod("a", "echo kept >/claim/f");
    mount(pod, "data", "/claim").putObject("persistentVolumeClaim").put("claimName", "data");
    cluster.put(pod);
    ends("a", "Succeeded");
    assertThat(dir.resolve("volumes/default/data/f")).hasContent("kept");
  }

  @Test
  void aLinkInAVolumeLeadsNowhereElse() throws Exception {
    Life life = live();
    Files.createSymbolicLink(dir.resolve("out"), Path.of("/etc"));
    ObjectNode pod = pod("a", "true");
    mount(pod, "below", "/part").putObject("hostPath").put("path", dir.resolve("out").toString());
    assertThat(life.runtime.unsupported(KubeObject.of(pod)))
        .extracting(FieldError::path)
        .containsExactly("spec.volumes[1].hostPath.path");
    ObjectNode part = pod("b", "true");
    ((ObjectNode) container(part).at("/volumeMounts/0")).put("subPath", "out");
    cluster.put(part);
    until("b", found -> found.tree().toString().contains("leads out of the volume"));
  }

  private void add(String name, String script) {
    cluster.put(pod(name, script));
  }

  /** Returns a pod that runs a script; {@code /host} is the test's directory. */
  private ObjectNode pod(String name, String script) {
    ObjectNode pod = PodCluster.newPod(name, "sh", "-c", script);
    ObjectNode container = container(pod);
    container.put("image", TestDaemon.IMAGE);
    container.putArray("volumeMounts").addObject().put("name", "host").put("mountPath", "/host");
    ObjectNode spec = (ObjectNode) pod.get("spec");
    ObjectNode volume = spec.putArray("volumes").addObject().put("name", "host");
    volume.putObject("hostPath").put("path", dir.toString());
    return pod;
  }

  private static ObjectNode container(ObjectNode pod) {
    return (ObjectNode) pod.at("/spec/containers/0");
  }

  private List<String> log(String name, String file) throws IOException {
    return Files.readAllLines(dir.resolve("logs/default/" + name + "/" + name + "/main." + file));
  }

  private JsonNode terminated(String name) {
    return cluster.containerStatus(name).at("/state/terminated");
  }

  /** Lets seconds pass until the pod meets a condition. */
  private void until(String name, Predicate<KubeObject> so) throws Exception {
    CompletableFuture<?> reached = cluster.when(name, pod -> pod != null && so.test(pod));
    while (!reached.isDone()) {
      if (Thread.interrupted()) {
        throw new InterruptedException(name + " is " + cluster.pod(name).status());
      }
      time.advance(Duration.ofSeconds(1));
      Thread.onSpinWait();
    }
    reached.get();
  }

  private void pipe(String name) throws Exception {
    Path path = dir.resolve(name);
    assertThat(new ProcessBuilder("mkfifo", "-m", "666", path.toString()).start().waitFor())
        .isZero();
  }

  /** Reads what a container writes to a named pipe. */
  private String line(String pipe) throws IOException {
    try (BufferedReader reader = Files.newBufferedReader(dir.resolve(pipe))) {
      return reader.readLine();
    }
  }

  private void add(String name, Consumer<ObjectNode> change) {
    ObjectNode pod = pod(name, "true");
    container(pod).put("image", "stint.test/entry:1");
    change.accept(pod);
    cluster.put(pod);
  }

  /** Adds a volume, and mounts it. */
  private static ObjectNode mount(ObjectNode pod, String name, String path) {
    container(pod).withArray("volumeMounts").addObject().put("name", name).put("mountPath", path);
    return ((ObjectNode) pod.get("spec")).withArray("volumes").addObject().put("name", name);
  }

  private int lastExitCode(String name) {
    return cluster
        .statusWrites(name)
        .getLast()
        .status()
        .at("/containerStatuses/0/state/terminated/exitCode")
        .intValue();
  }

  /** Waits for a pod's end. A daemon that is busy may refuse a request, which is then repeated. */
  private void ends(String name, String phase) throws Exception {
    repeatRequests(1);
    cluster
        .when(
            name,
            pod -> pod != null && List.of("Succeeded", "Failed").contains(cluster.phase(name)))
        .get();
    assertThat(cluster.phase(name)).describedAs("%s", cluster.pod(name).status()).isEqualTo(phase);
  }

  private void repeatRequests(int failures) {
    Duration delay = RetryDelays.REQUEST.delay(failures);
    time.whenArmed(delay)
        .thenRunAsync(() -> {
          time.advance(delay);
          repeatRequests(failures + 1);
        });
  }

  private JsonNode status(String name) {
    return cluster.pod(name).tree().path("status");
  }
}
