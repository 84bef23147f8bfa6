package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.harness.TestTime;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.PodCluster;
import dev.stint.runner.proc.BootId;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.isolation.MachineCapabilities;
import dev.stint.runner.process.shim.ShimProgram;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.spec.PodInputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.node.ObjectNode;

/** Runs containers as real processes in an environment of their own. */
@Timeout(60)
@Isolated("a pod with a read-only root fails if a mount of another test vanishes meanwhile")
abstract class IsolationFixture {
  static final PodInputs INPUTS =
      new PodInputs(
          Map.of(
              "settings",
              KubeObject.of(
                  Json.parse(
                      """
                      {"data": {"color": "blue", "run.sh": "#!/bin/sh\\necho ran in $PWD; exit 4"}}
                      """))),
          Map.of("keys", KubeObject.of(Json.parse("{\"data\": {\"token\": \"c2VjcmV0\"}}"))));

  final Path dir;
  final TestTime time = new TestTime();
  final List<String> started = new ArrayList<>();
  ProcessRuntime runtime;

  IsolationFixture(@TempDir Path dir) throws IOException {
    this.dir = dir;
    this.runtime = runtime(dir);
  }

  @AfterEach
  void endWhatIsLeft() {
    started.forEach(uid -> runtime.forget(uid).join());
    runtime.close();
  }

  Path volumeDir(String name) {
    return dir.resolve("pods/uid-a/.volumes").resolve(name);
  }

  Path volumeOfFiles(String name) {
    return volumeDir(name + "." + BootId.tag(BootId.current()));
  }

  static void env(ObjectNode pod, String name, String value) {
    container(pod).withArray("env").addObject().put("name", name).put("value", value);
  }

  /** Returns the command lines of all processes of the machine. */
  static List<String> commandLines() {
    return ProcessHandle.allProcesses()
        .map(process -> AttemptDir.commandLine(Math.toIntExact(process.pid())))
        .toList();
  }

  static void assumeMounts() {
    String why = MachineCapabilities.here().whyNoMounts().orElse("");
    assumeTrue(why.isEmpty(), why);
  }

  static void assumeRoot() {
    assumeTrue(MachineCapabilities.here().identity().isRoot(), "only root can do so");
    assumeMounts();
  }

  ProcessRuntime runtime(Path where) throws IOException {
    return runtime(where, new ProcessOptions(List.of(where.resolve("open"))));
  }

  ProcessRuntime runtime(Path where, ProcessOptions options) throws IOException {
    return new ProcessRuntime(
        where.resolve("pods"),
        where.resolve("logs"),
        Map.of("PATH", System.getenv("PATH"), "HOME", "/root"),
        time,
        IsolationFixture::later,
        options,
        true,
        Posix::spawn,
        shim());
  }

  ShimProgram shim() {
    return ShimProgram.SHELL;
  }

  /** The kernel needs real time for this, so a clock that stands still is of no use. */
  static Runnable later(Duration delay, Runnable task) {
    CompletableFuture<?> done =
        CompletableFuture.runAsync(
            task, CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS));
    return () -> done.cancel(false);
  }

  Exit run(ObjectNode pod) throws Exception {
    return start(pod, container(pod)).get();
  }

  String startError(ObjectNode pod) throws Exception {
    Exit exit = run(pod);
    assertThat(exit.reason()).isEqualTo("StartError");
    return exit.message();
  }

  CompletableFuture<Exit> start(ObjectNode pod, ObjectNode container) {
    return listen(pod, container).exit;
  }

  ExitListener listen(ObjectNode pod, ObjectNode container) {
    ExitListener listener = new ExitListener();
    KubeObject object = KubeObject.of(pod);
    started.add(object.uid());
    runtime.start(new ContainerRun(object, container, 0, false, INPUTS), listener);
    return listener;
  }

  Path pipe() throws Exception {
    Path pipe = dir.resolve("pipe");
    Process made = new ProcessBuilder("mkfifo", pipe.toString(), pipe + ".go").start();
    assertThat(made.waitFor()).isZero();
    return pipe;
  }

  String log(String stream) throws IOException {
    return log("main", stream);
  }

  String log(String container, String stream) throws IOException {
    Path file = dir.resolve("logs/default/a/a/" + container + ".0." + stream);
    return Files.exists(file) ? Files.readString(file) : "";
  }

  static ObjectNode pod(String script) {
    return PodCluster.newPod("a", "sh", "-c", script);
  }

  static ObjectNode container(ObjectNode pod) {
    return (ObjectNode) pod.at("/spec/containers/0");
  }

  static void volume(ObjectNode pod, String name, String source, String path, String options) {
    ObjectNode volume = Json.parse(source);
    volume.put("name", name);
    pod.withObjectProperty("spec").withArray("volumes").add(volume);
    mount(pod, name, path, options);
  }

  static void mount(ObjectNode pod, String name, String path, String options) {
    ObjectNode mount = Json.parse("{" + options + "}");
    container(pod).withArray("volumeMounts").add(mount.put("name", name).put("mountPath", path));
  }

  static void security(ObjectNode pod, String context) {
    container(pod).set("securityContext", Json.parse(context));
  }
}
