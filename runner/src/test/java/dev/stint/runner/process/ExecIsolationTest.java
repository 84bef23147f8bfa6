package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.model.KubeObject;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.spec.Handler;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Commands that are run in a container that is isolated. */
class ExecIsolationTest extends IsolationFixture {
  ExecIsolationTest(@TempDir Path dir) throws IOException {
    super(dir);
  }

  @Test
  void anExecCommandSeesTheContainersVolumesAndHasItsUser() throws Exception {
    assumeMounts();
    Path pipe = pipe();
    ObjectNode pod = pod("exec 3>" + pipe + "; echo ready >&3; read _ <" + pipe + ".go");
    volume(pod, "a", "{\"configMap\": {\"name\": \"settings\"}}", "/stint-test", "");
    security(pod, "{\"allowPrivilegeEscalation\": false}");
    CompletableFuture<Exit> end = start(pod, container(pod));
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
      List<String> argv =
          List.of("sh", "-c", "cat /stint-test/color; grep NoNewPrivs /proc/self/status");
      try (ExecProcess process = runtime.exec(KubeObject.of(pod), container(pod), argv, false)) {
        String out = new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.stderr().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(out).as(err).isEqualTo("blueNoNewPrivs:\t1\n");
        assertThat(process.exitCode().get()).isZero();
      }
      Files.writeString(Path.of(pipe + ".go"), "go\n");
    }
    assertThat(end.get().code()).isZero();
    assertThatThrownBy(
            () -> runtime.exec(KubeObject.of(pod), container(pod), List.of("true"), false))
        .hasMessage("container main is not running");
  }

  /** A shell would drop it, and an argument would be seen by all users of the machine. */
  @Test
  void anExecCommandGetsAVariableWhoseNameNoShellKnowsButNotAsAnArgument() throws Exception {
    Path pipe = pipe();
    ObjectNode pod = pod("exec 3>" + pipe + "; echo ready >&3; read _ <" + pipe + ".go");
    env(pod, "db.password", "it's #1");
    CompletableFuture<Exit> end = start(pod, container(pod));
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
      String print = "tr '\\0' '\\n' </proc/$$/environ | grep -e ^db. -e ^__stint; read _";
      for (boolean tty : List.of(false, true)) {
        List<String> argv = List.of("sh", "-c", print);
        try (ExecProcess process = runtime.exec(KubeObject.of(pod), container(pod), argv, tty)) {
          assertThat(process.stdout().readNBytes(19)).asString().isEqualTo("db.password=it's #1");
          assertThat(commandLines()).noneMatch(line -> line.contains("s #1"));
        }
      }
      Files.writeString(Path.of(pipe + ".go"), "go\n");
    }
    assertThat(end.get().code()).isZero();
  }

  /** Its file of variables has none of those whose names no shell can set. */
  @Test
  void anExecCommandOfAContainerOfAnEarlierVersionGetsAllVariables() throws Exception {
    assumeMounts();
    Path pipe = pipe();
    ObjectNode pod = pod("exec 3>" + pipe + "; echo ready >&3; read _ <" + pipe + ".go");
    volume(pod, "a", "{\"configMap\": {\"name\": \"settings\"}}", "/stint-test", "");
    env(pod, "db.password", "it's #1");
    env(pod, "PLAIN", "2");
    CompletableFuture<Exit> end = start(pod, container(pod));
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
      Path file = AttemptDir.of(dir.resolve("pods"), "uid-a", "main", 0).environmentFile();
      String now = Files.readString(file);
      String earlier = now.replaceAll("(?s)__stint_run\\(\\) \\{.*", "");
      assertThat(earlier).isNotEqualTo(now).contains("PLAIN");
      Files.writeString(file, earlier);
      List<String> argv = List.of("sh", "-c", "tr '\\0' '\\n' </proc/$$/environ | grep ^db.");
      try (ExecProcess process = runtime.exec(KubeObject.of(pod), container(pod), argv, false)) {
        assertThat(process.stdout().readAllBytes()).asString().isEqualTo("db.password=it's #1\n");
      }
      Files.writeString(Path.of(pipe + ".go"), "go\n");
    }
    assertThat(end.get().code()).isZero();
  }

  /** Otherwise a hook or probe could take all cores and all memory of the machine. */
  @Test
  void anExecCommandHasTheLimitsOfItsContainer() throws Exception {
    assumeTrue(ProcessRuntime.whyNoLimits().isEmpty(), "needs control groups to write to");
    Path pipe = pipe();
    ObjectNode pod = pod("exec 3>" + pipe + "; echo ready >&3; read _ <" + pipe + ".go");
    container(pod).putObject("resources").putObject("limits").put("memory", "64Mi").put("cpu", 1);
    CompletableFuture<Exit> end = start(pod, container(pod));
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
      List<String> argv = List.of("cat", "/proc/self/cgroup");
      try (ExecProcess process = runtime.exec(KubeObject.of(pod), container(pod), argv, false)) {
        List<String> groups =
            new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        assertThat(groups)
            .filteredOn(line -> line.matches("\\d+:(.*,)?(cpu|memory)(,.*)?:.*|0::/.*stint/.*"))
            .isNotEmpty()
            .allMatch(line -> line.endsWith("stint/uid-a/main.0"));
      }
      Files.writeString(Path.of(pipe + ".go"), "go\n");
    }
    assertThat(end.get().code()).isZero();
  }

  /** Otherwise each probe would fail, and the container would be killed. */
  @Test
  void anExecCommandKeepsAVariableWhoseFileTheContainerHasDeleted() throws Exception {
    assumeMounts();
    Path pipe = pipe();
    Path file = Files.createDirectories(volumeDir("v")).resolve("env");
    Files.writeString(file, "A='1'");
    ObjectNode pod = pod("exec 3>" + pipe + "; echo ready >&3; read _ <" + pipe + ".go");
    volume(pod, "v", "{\"emptyDir\": {}}", "/stint-test", "");
    ObjectNode variable = container(pod).putArray("env").addObject().put("name", "X");
    ObjectNode ref = variable.putObject("valueFrom").putObject("fileKeyRef");
    ref.put("volumeName", "v").put("path", "env").put("key", "A");
    CompletableFuture<Exit> end = start(pod, container(pod));
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
      Files.delete(file);
      List<String> argv = List.of("sh", "-c", "echo ${X-none}");
      try (ExecProcess process = runtime.exec(KubeObject.of(pod), container(pod), argv, false)) {
        assertThat(process.stdout().readAllBytes()).asString().isEqualTo("1\n");
      }
      Files.writeString(Path.of(pipe + ".go"), "go\n");
    }
    assertThat(end.get().code()).isZero();
  }

  @Test
  void aProbeOfAPodThatHasEndedDoesNotMakeItAPeerAgain() throws Exception {
    ObjectNode pod = pod("true");
    pod.withObject("spec").put("subdomain", "jobs");
    ContainerRun run = new ContainerRun(KubeObject.of(pod), container(pod), 0, false, INPUTS);
    runtime.handle(run, new Handler.Exec(List.of("true"))).handle((_, _) -> "over").get();
    assertThat(runtime.ownAddress("uid-a")).isEmpty();
  }

  @Test
  void anExecCommandHasNoDescriptorOfStint() throws Exception {
    assumeMounts();
    Path pipe = pipe();
    ObjectNode pod = pod("exec 3>" + pipe + "; echo ready >&3; read _ <" + pipe + ".go");
    volume(pod, "a", "{\"configMap\": {\"name\": \"settings\"}}", "/stint-test", "");
    CompletableFuture<Exit> end = start(pod, container(pod));
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
      List<String> argv = List.of("sh", "-c", "ls /proc/self/fd | wc -l");
      try (ExecProcess process = runtime.exec(KubeObject.of(pod), container(pod), argv, false)) {
        assertThat(process.stdout().readAllBytes()).asString().isEqualTo("4\n");
      }
      Files.writeString(Path.of(pipe + ".go"), "go\n");
    }
    assertThat(end.get().code()).isZero();
  }
}
