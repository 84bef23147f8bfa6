package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.harness.TestTime;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.runner.PodCluster;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.isolation.MachineCapabilities;
import dev.stint.runner.process.shim.ShimProgram;
import dev.stint.runner.process.shim.Spawner;
import dev.stint.runner.process.user.PodUserPolicy;
import dev.stint.runner.process.user.UserRange;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.spec.PodInputs;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Pods as users of their own, from which Stint hides itself. Only root can do so. */
@Timeout(60)
class PodUserTest {
  private static final long FIRST = 1_900_000_000L;

  @TempDir Path dir;
  private final TestTime time = new TestTime();
  private Spawner spawner = Posix::spawn;
  private ProcessRuntime runtime;

  /** A running pod, and its end. */
  private record Started(Attempt attempt, CompletableFuture<Exit> end) {}

  ShimProgram shim() {
    return ShimProgram.SHELL;
  }

  @BeforeEach
  void open() throws Exception {
    MachineCapabilities machine = MachineCapabilities.here();
    assumeTrue(machine.identity().isRoot(), "only root can do so");
    Files.writeString(dir.resolve("kubeconfig"), "the admin's token");
    UserRange users = UserRange.open(dir.resolve("pod-users"), FIRST, FIRST + 9);
    runtime =
        new ProcessRuntime(
            dir.resolve("pods"),
            dir.resolve("logs"),
            Map.of("PATH", System.getenv("PATH"), "LC_ALL", "C.UTF-8"),
            time,
            time,
            new ProcessOptions(
                List.of(),
                Map.of(),
                LogLimits.DEFAULT,
                new PodUserPolicy(users, "trusted"::equals),
                false,
                Optional.of(dir.toRealPath())),
            true,
            (argv, environment, files) -> spawner.spawn(argv, environment, files),
            shim());
    assumeTrue(
        runtime.gaps().stream().noneMatch(gap -> gap.startsWith("pods see")),
        runtime.gaps().toString());
  }

  @AfterEach
  void close() {
    if (runtime != null) {
      runtime.forget("uid-a").join();
      runtime.close();
    }
  }

  @Test
  void eachNamespacesPodsHaveAUserOfTheirOwn() throws Exception {
    Exit exit = run(pod("a", "id -u; id -G"));
    assertThat(exit.code()).as(exit.message()).isZero();
    assertThat(log("a")).isEqualTo("1900000000\n1900000000\n");
    runtime.forget("uid-a").get();
    assertThat(run(pod("b", "id -u; id -G")).code()).isZero();
    assertThat(log("b")).isEqualTo("1900000001\n1900000001\n");
  }

  @Test
  void aPodSeesNeitherStintNorItsDataNorOtherPods() throws Exception {
    long own = ProcessHandle.current().pid();
    Exit exit =
        run(
            pod(
                "a",
                "cat %s/kubeconfig; ls %s; ls -d /proc/%d /proc/[0-9]*; tr '\\0' ' ' </proc/1/cmdline"
                    .formatted(dir, dir, own)));
    assertThat(exit.code()).isZero();
    assertThat(log("a")).startsWith("/proc/1\n").doesNotContain("token", "/proc/" + own + "\n");
    assertThat(log("a").lines().filter(line -> line.startsWith("/proc/")).count())
        .as("the first process, the shell and ls")
        .isLessThanOrEqualTo(4);
  }

  /** The mount covers the attempt's directory, which says what to hide. */
  @Test
  void aVolumeInTheAttemptsOwnDirectoryShowsNothing() throws Exception {
    Files.setAttribute(dir, "unix:mode", 0755);
    ObjectNode pod = pod("a", "cat %s/kubeconfig; ls %s".formatted(dir, dir));
    ObjectNode spec = pod.withObject("spec");
    spec.putArray("volumes").addObject().put("name", "v").putObject("emptyDir");
    ((ObjectNode) spec.at("/containers/0"))
        .putArray("volumeMounts")
        .addObject()
        .put("name", "v")
        .put("mountPath", dir.toRealPath().resolve("pods/uid-a/main/0/new").toString());
    Exit exit = run(pod);
    assertThat(log("a")).as(exit.message()).isEmpty();
  }

  @Test
  void aPodThatNamesRootIsRefusedUnlessItsNamespaceIsPrivileged() {
    ObjectNode asked = pod("a", "id -u");
    asked.withObject("spec").putObject("securityContext").put("runAsUser", 0);
    assertThat(runtime.unsupported(KubeObject.of(asked)))
        .extracting(FieldError::path)
        .containsExactly("spec.securityContext.runAsUser");
    ObjectNode trusted = asked.deepCopy();
    trusted.withObject("metadata").put("namespace", "trusted");
    assertThat(runtime.unsupported(KubeObject.of(trusted))).isEmpty();
  }

  @Test
  void aCommandWithoutAWorkingDirectoryStartsInTheRootDirectory() throws Exception {
    assertThat(run(pod("a", "pwd")).code()).isZero();
    assertThat(log("a")).isEqualTo("/\n");
  }

  @Test
  void aCommandEndsWithItsSignalAndItsCode() throws Exception {
    assertThat(run(pod("a", "exit 7")).code()).isEqualTo(7);
    runtime.forget("uid-a").get();
    Path pipe = pipe();
    Started started = start(pod("a", "echo ready >" + pipe + "; exec sleep 1000"));
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
    }
    started.attempt().signal(Attempt.Signal.TERM);
    assertThat(started.end().get().code()).isEqualTo(143);
  }

  /** The script waits at a pipe in place of the list of control groups. */
  @Test
  void sigtermIsDelayedUntilTheContainerIsArranged() throws Exception {
    Path groups = dir.resolve("pods/uid-a/main/0/cgroups");
    CompletableFuture<Path> made = new CompletableFuture<>();
    spawner =
        (argv, environment, files) -> {
          makePipe(groups);
          made.complete(groups);
          return Posix.spawn(argv, environment, files);
        };
    Path pipe = pipe();
    Started started = start(pod("a", "echo ready >" + pipe + "; exec sleep 1000"));
    try (BufferedWriter _ = Files.newBufferedWriter(made.get())) {
      started.attempt().signal(Attempt.Signal.TERM);
      time.whenArmed(ProcessAttempt.ARRANGEMENT).get();
    }
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
    }
    time.advance(ProcessAttempt.ARRANGEMENT);
    assertThat(started.end().get().code()).isEqualTo(143);
  }

  @Test
  void aCommandGetsTheStopSignalThatItsContainerNames() throws Exception {
    Path pipe = pipe();
    ObjectNode pod =
        pod("a", "trap 'exit 5' USR1; echo ready >" + pipe + "; while :; do sleep 0.01; done");
    container(pod).putObject("lifecycle").put("stopSignal", "SIGUSR1");
    Started started = start(pod);
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
    }
    started.attempt().signal(Attempt.Signal.TERM);
    assertThat(started.end().get().code()).isEqualTo(5);
  }

  @Test
  void aSignalIsForTheMainProcessAlone() throws Exception {
    Path pipe = pipe();
    String worker =
        "trap \"echo worker\" TERM; trap \"ended=1\" USR1; echo ready >"
            + pipe
            + "; while [ -z \"$ended\" ]; do sleep 0.01; done";
    Started started =
        start(
            pod(
                "a",
                "trap 'kill -USR1 $!; wait $!; exit 5' TERM; sh -c '" + worker + "' & wait $!"));
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
    }
    started.attempt().signal(Attempt.Signal.TERM);
    assertThat(started.end().get().code()).isEqualTo(5);
    assertThat(log("a")).isEmpty();
  }

  @Test
  void aDaemonEndsWithItsPodWhateverItDoes() throws Exception {
    Path pipe = pipe();
    String daemon = "exec 3>" + pipe + "; echo ready >&3; exec sleep 1000";
    Started started = start(pod("a", "(env -i setsid sh -c '" + daemon + "' &); sleep 1000"));
    try (BufferedReader left = Files.newBufferedReader(pipe)) {
      assertThat(left.readLine()).isEqualTo("ready");
      started.attempt().signal(Attempt.Signal.KILL);
      assertThat(left.readLine()).as("it ends").isNull();
    }
    assertThat(started.end().get().code()).isEqualTo(137);
  }

  @Test
  void anExecCommandIsInTheSamePlace() throws Exception {
    Path pipe = pipe();
    ObjectNode pod = pod("a", "echo ready >" + pipe + "; exec sleep 1000");
    start(pod);
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
    }
    List<String> argv = List.of("sh", "-c", "id -u; ls " + dir + " | wc -l; ls -d /proc/[0-9]*");
    try (ExecProcess process = runtime.exec(KubeObject.of(pod), container(pod), argv, false)) {
      String out = new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(out).startsWith("1900000000\n0\n/proc/1\n");
      assertThat(out).doesNotContain("/proc/" + ProcessHandle.current().pid() + "\n");
    }
  }

  /** A pod could mount translations of its own, whose texts root's programs take as formats. */
  @Test
  void rootsProgramsTranslateNothing() throws Exception {
    ObjectNode pod = pod("trusted", "echo $LC_ALL; tr '\\0' '\\n' </proc/1/environ | grep LC_ALL");
    pod.withObject("spec").putObject("securityContext").put("runAsUser", 0);
    assertThat(run(pod).code()).isZero();
    assertThat(log("trusted")).isEqualTo("C.UTF-8\nLC_ALL=C\n");
  }

  @Test
  void rootTranslatesNothingOnTheWayIntoAContainer() throws Exception {
    Path pipe = pipe();
    ObjectNode pod = pod("a", "echo ready >" + pipe + "; exec sleep 1000");
    start(pod);
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
    }
    List<String> argv = List.of("sh", "-c", "echo $LC_ALL; read _");
    try (ExecProcess process = runtime.exec(KubeObject.of(pod), container(pod), argv, false);
        BufferedReader out =
            new BufferedReader(new InputStreamReader(process.stdout(), StandardCharsets.UTF_8))) {
      assertThat(out.readLine()).isEqualTo("C.UTF-8");
      assertThat(ProcessHandle.current().descendants().map(ProcessHandle::pid))
          .filteredOn(pid -> AttemptDir.commandLine(Math.toIntExact(pid)).contains("nsenter\0"))
          .isNotEmpty()
          .allSatisfy(pid ->
              assertThat(Files.readString(Path.of("/proc/" + pid + "/environ")).split("\0"))
                  .contains("LC_ALL=C"));
    }
  }

  private Exit run(ObjectNode pod) throws Exception {
    return start(pod).end().get();
  }

  private Started start(ObjectNode pod) {
    ExitListener listener = new ExitListener();
    Attempt attempt =
        runtime.start(
            new ContainerRun(KubeObject.of(pod), container(pod), 0, false, PodInputs.NONE),
            listener);
    return new Started(attempt, listener.exit);
  }

  private static ObjectNode pod(String namespace, String script) {
    ObjectNode pod = PodCluster.newPod("a", "sh", "-c", script);
    pod.withObject("metadata").put("namespace", namespace);
    container(pod).put("workingDir", "/");
    return pod;
  }

  private static ObjectNode container(ObjectNode pod) {
    return (ObjectNode) pod.at("/spec/containers/0");
  }

  /** A pipe that every user can open, outside of what is hidden. */
  private static Path pipe() throws Exception {
    Path open = Files.createTempDirectory("stint-test");
    open.toFile().deleteOnExit();
    Path pipe = open.resolve("pipe");
    makePipe(pipe);
    pipe.toFile().deleteOnExit();
    Files.setAttribute(open, "unix:mode", 0755);
    return pipe;
  }

  private static void makePipe(Path pipe) {
    try {
      assertThat(new ProcessBuilder("mkfifo", "-m", "666", pipe.toString()).start().waitFor())
          .isZero();
    } catch (IOException | InterruptedException fault) {
      throw new IllegalStateException(fault);
    }
  }

  private String log(String namespace) throws Exception {
    return Files.readString(dir.resolve("logs/" + namespace + "/a/a/main.0.stdout"));
  }
}
