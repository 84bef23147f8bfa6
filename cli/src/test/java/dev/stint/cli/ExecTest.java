package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.ShellQuoting;
import dev.stint.cluster.Cluster;
import dev.stint.embedded.ThreadTimers;
import dev.stint.harness.JobBuilder;
import dev.stint.jobs.ApiCalls;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.mirror.Mirrored;
import dev.stint.runner.runtime.SimulatedRuntime;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code stint exec} in processes of a running {@code up}: by its data directory, as a cluster, and
 * as the worker of a mirror.
 *
 * <p>It is slow because each command opens its own connection, and pods are processes.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("the data directory of ExecTest") // In one JVM, attempts to lock it disturb others.
@Order(1)
class ExecTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  @TempDir private static Path directory = Path.of("");
  private static final ThreadTimers TIMERS = new ThreadTimers();
  private static @Nullable StintProcess up;
  private static @Nullable KubeCluster served;

  @BeforeAll
  static void serve() throws Exception {
    StintProcess started =
        StintProcess.start(directory, "up", "--data", data(), "--listen", "127.0.0.1:0");
    up = started;
    await().atMost(TIMEOUT).until(() -> started.out().contains("To use it") || !started.alive());
    assertThat(started.alive()).as(started.err()).isTrue();
    served = KubeCluster.of(kubeconfig(), null, TIMERS);
    create("one", 1);
    create("two", 2);
    for (String name : List.of("one", "two")) {
      int pods = name.equals("one") ? 1 : 2;
      await().atMost(TIMEOUT).until(() -> Objects.equals(status(name).ready(), pods));
    }
  }

  @AfterAll
  static void stop() throws InterruptedException {
    if (served != null) {
      served.close();
    }
    TIMERS.close();
    if (up != null) {
      up.terminate();
      up.exitStatus();
    }
  }

  private static String data() {
    return directory.resolve("data").toString();
  }

  private static Path kubeconfig() {
    return directory.resolve("data/kubeconfig");
  }

  private static Cluster cluster() {
    return Objects.requireNonNull(served);
  }

  /** Creates a Job whose pods do nothing until they are stopped. */
  private static void create(String name, int pods) {
    KubeObject job =
        JobBuilder.indexed(name)
            .completions(pods)
            .parallelism(pods)
            .podSpec("'terminationGracePeriodSeconds':1")
            .command("sh", "-c", "while :; do sleep 1000; done")
            .build();
    ApiCalls.await(cluster().create(job));
  }

  private static KubeObject job(String name) {
    return ApiCalls.await(cluster().get(new ObjectRef(Kind.JOB, "default", name)));
  }

  private static JobStatus status(String name) {
    return JobStatus.read(job(name).status());
  }

  /** Runs {@code stint exec} with more words; checks its exit status. */
  private static Recorded exec(int status, String input, String... words) {
    Recorded recorded = Recorded.withInput(input);
    List<String> all = new ArrayList<>(List.of("exec", "--data", data()));
    all.addAll(List.of(words));
    assertThat(recorded.run(all.toArray(String[]::new))).as(recorded.errText()).isEqualTo(status);
    return recorded;
  }

  private static String refusal(String... words) {
    Recorded recorded = exec(2, "", words);
    assertThat(recorded.out()).isEmpty();
    assertThat(recorded.err()).hasSize(1);
    return recorded.err().getFirst();
  }

  @Test
  void outputIsPassedOnByteByByteAndTheExitStatusIsTheCommandsOwn() {
    Recorded both =
        exec(3, "", "one", "--", "sh", "-c", "printf '\\377\\033x'; echo e >&2; exit 3");
    assertThat(both.outBytes().toByteArray()).isEqualTo(new byte[] {(byte) 0xff, 27, 'x'});
    assertThat(both.errText()).isEqualTo("e\n");
    Recorded arguments = exec(0, "", "one", "--", "printf", "[%s]", "a b", "", "&", "-i", "é");
    assertThat(arguments.out()).containsExactly("[a b][][&][-i][é]");
    exec(137, "", "one", "--", "sh", "-c", "kill -9 $$");
  }

  @Test
  void inputIsPassedToTheCommandToItsEnd() {
    String input = "a line of input\n".repeat(100_000);
    assertThat(exec(0, input, "one", "-i", "--", "cat").outBytes()).hasToString(input);
    assertThat(exec(0, input, "one", "-i", "--", "head", "-n", "1").out()).hasSize(1);
    assertThat(exec(0, "unread", "one", "--", "cat").out()).isEmpty();
  }

  @Test
  void onePodOfSeveralIsChosen() {
    assertThat(refusal("two", "--", "true"))
        .isEqualTo("stint: two has 2 running pods; choose one with --index 0, --index 1");
    String script = "echo $JOB_COMPLETION_INDEX";
    assertThat(exec(0, "", "two", "--index", "1", "--", "sh", "-c", script).out())
        .containsExactly("1");
    Recorded names = Recorded.plain();
    names.run("attempts", "two", "--index=0", "-o", "name", "--data", data());
    String pod = names.out().getFirst();
    assertThat(exec(0, "", "job/two", "--pod", pod, "--", "sh", "-c", script).out())
        .containsExactly("0");
  }

  @Test
  void whatCannotBeRunIsRefusedInOneLine() {
    assertThat(refusal("none", "--", "true")).startsWith("stint: no Job \"none\" in namespace");
    assertThat(refusal("one", "-c", "other", "--", "true"))
        .contains("has no container \"other\"; it has: main");
    assertThat(refusal("two", "--index", "7", "--", "true"))
        .isEqualTo(
            "stint: no pod of index 7 of two is running; those that are: --index 0, --index 1");
    assertThat(refusal("two", "--index", "-1", "--", "true"))
        .isEqualTo("stint: --index is -1; it must be at least 0");
    assertThat(refusal("one", "--", "no-such-program"))
        .contains("no-such-program", "not found in PATH");
    assertThat(refusal("one")).contains("COMMAND");
    assertThat(refusal("one", "-t", "--", "sh")).isEqualTo("stint: -t needs -i");
    assertThat(refusal("one", "-it", "--", "sh"))
        .isEqualTo("stint: -t needs a terminal; the standard output is not one");
  }

  @Test
  void theCommandIsKilledWhenStintIs() throws Exception {
    Path begun = directory.resolve("begun");
    String script = "echo $$ >%s.new; mv %s.new %s; exec sleep 1000".formatted(begun, begun, begun);
    StintProcess exec =
        StintProcess.start(directory, "exec", "one", "--data", data(), "--", "sh", "-c", script);
    await().atMost(TIMEOUT).until(() -> Files.exists(begun) || !exec.alive());
    assertThat(exec.alive()).as(exec.err()).isTrue();
    long pid = Long.parseLong(Files.readString(begun).strip());
    exec.signal("INT");
    assertThat(exec.exitStatus()).isEqualTo(130);
    await()
        .atMost(TIMEOUT)
        .until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
  }

  /** Starts {@code stint exec} on a terminal of 91 columns, whose state follows at the end. */
  private static Process onTerminal(Path screen, String script) throws IOException {
    List<String> command = new ArrayList<>(CommandJvm.command());
    command.add(1, "-Dstint.stdout.terminal=true"); // As the launcher does.
    command.addAll(List.of("exec", "one", "-it", "--data", data(), "--", "sh", "-c", script));
    String line =
        "stty cols 91 rows 17; %s; echo status=$?; stty -a".formatted(ShellQuoting.quoted(command));
    ProcessBuilder builder =
        new ProcessBuilder("script", "-qefc", line, "/dev/null")
            .redirectErrorStream(true)
            .redirectOutput(screen.toFile());
    builder.environment().put("SHELL", "/bin/sh");
    return builder.start();
  }

  private static void untilShown(Path screen, String text) {
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(Files.readString(screen)).contains(text));
  }

  private static void type(Process process, String keys) throws IOException {
    process.getOutputStream().write(keys.getBytes(StandardCharsets.US_ASCII));
    process.getOutputStream().flush();
  }

  private static ProcessHandle java(Process script) {
    return script
        .descendants()
        .filter(each -> each.info().command().orElse("").endsWith("/java"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aCommandWithATerminalGetsEachKeyAlsoCtrlC() throws Exception {
    Path screen = directory.resolve("keys.screen");
    Process process =
        onTerminal(
            screen,
            "trap 'echo interrupted; exit 3' INT; tty; echo ready; read a; echo =$a;"
                + " while :; do stty size; sleep 0.1; done");
    untilShown(screen, "ready");
    type(process, "hello\r");
    untilShown(screen, "=hello");
    Path terminal = Path.of("/proc/" + java(process).pid() + "/fd/0").toRealPath();
    new ProcessBuilder("stty", "-F", terminal.toString(), "cols", "102").start().waitFor();
    untilShown(screen, "17 102");
    type(process, "\003");
    untilShown(screen, "status=");
    process.getOutputStream().close();
    assertThat(process.waitFor()).isZero();
    assertThat(Files.readString(screen))
        .contains("/dev/pts/", "interrupted", "status=3", " icanon", " echo ");
  }

  @Test
  void aSignalThatEndsStintRestoresTheTerminal() throws Exception {
    Path screen = directory.resolve("signal.screen");
    Process process = onTerminal(screen, "echo ready; sleep 1000");
    untilShown(screen, "ready");
    java(process).destroy();
    untilShown(screen, "status=143");
    process.getOutputStream().close();
    assertThat(process.waitFor()).isZero();
    assertThat(Files.readString(screen)).contains(" icanon", " echo ");
  }

  @Test
  void aReaderThatGoesEndsTheCommand() {
    Recorded recorded = Recorded.plain();
    PrintStream gone =
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int one) throws IOException {
                throw new IOException("Broken pipe");
              }
            });
    Console console =
        new Console(
            InputStream.nullInputStream(),
            gone,
            recorded.console().err(),
            Map.of(),
            false,
            80,
            recorded.signals());
    assertThat(new StintCommand(console).run("exec", "one", "--data", data(), "--", "yes"))
        .isEqualTo(2);
    assertThat(recorded.err())
        .containsExactly("stint: the output of the command cannot be written: its reader is gone");
  }

  @Test
  void aMirroredJobIsReachedOnItsWorker() throws Exception {
    try (FarCluster manager =
        new FarCluster(Files.createDirectory(directory.resolve("manager")), null, 10_000)) {
      ObjectRef ref = manager.create("one", 1, 1, "'managedBy':'stint.dev/mirror'");
      ObjectNode patch = Json.object();
      patch
          .putObject("metadata")
          .putObject("annotations")
          .put(Mirrored.ASSIGNED, "west")
          .put(Mirrored.COPY, job("one").uid());
      manager.cluster().patch(ref, patch).join();
      Recorded found = onManager(manager, "--worker=west=" + kubeconfig());
      assertThat(found.out()).as(found.errText()).containsExactly("here");
      assertThat(onManager(manager, "--pod=x").err())
          .containsExactly(
              "stint: the pods and logs of one are on its worker west; name your kubeconfig of that cluster with --worker west=FILE");
    }
  }

  private static Recorded onManager(FarCluster manager, String flag) {
    Recorded recorded = Recorded.plain();
    String kubeconfig = manager.kubeconfig().toString();
    recorded.run("exec", "one", "--kubeconfig", kubeconfig, flag, "--", "echo", "here");
    return recorded;
  }

  @Test
  void podsThatAreSimulatedRunNoCommands() throws Exception {
    try (FarCluster simulated =
        FarCluster.withControllers(
            Files.createDirectory(directory.resolve("simulated")),
            (_, _) -> new SimulatedRuntime.Outcome(Duration.ofHours(1), 0))) {
      ObjectRef job = simulated.create("one", 1, 1, "");
      simulated.until("it runs", () -> Objects.equals(simulated.status(job).ready(), 1));
      Recorded refused = onManager(simulated, "--index=0");
      assertThat(refused.err())
          .singleElement()
          .asString()
          .startsWith("stint: there is no exec of pod \"one-0-")
          .contains("this server runs no pods as processes");
    }
  }

  @Test
  void aDirectoryOnWhichNothingWorksHasNoPods() throws Exception {
    String idle = directory.resolve("idle").toString();
    Path file =
        Files.writeString(
            directory.resolve("quick.yaml"),
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: quick}
            spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: none, command: ['true']}]}}}
            """);
    assertThat(Recorded.plain().run("run", file.toString(), "--data", idle)).isZero();
    Recorded refused = Recorded.plain();
    assertThat(refused.run("exec", "quick", "--data", idle, "--", "true")).isEqualTo(2);
    assertThat(refused.err())
        .containsExactly(
            "stint: nothing works on %s, so no pod of it runs; start stint up --data %s"
                .formatted(idle, idle));
  }
}
