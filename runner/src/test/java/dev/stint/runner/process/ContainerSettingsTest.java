package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.PodCluster;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.runtime.Exit;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Users, limits, root file systems and termination messages of real processes. */
class ContainerSettingsTest extends IsolationFixture {
  ContainerSettingsTest(@TempDir Path dir) throws IOException {
    super(dir);
  }

  @Test
  void namesOfThePodStandInAFileOfItsOwn() throws Exception {
    assumeMounts();
    String before = Files.readString(Path.of("/etc/hosts"));
    ObjectNode pod = pod("grep friend /etc/hosts; echo more >>/etc/hosts; tail -n 1 /etc/hosts");
    ((ObjectNode) pod.get("spec"))
        .putArray("hostAliases")
        .addObject()
        .put("ip", "192.0.2.7")
        .putArray("hostnames")
        .add("friend");
    assertThat(runtime.unsupported(KubeObject.of(pod))).isEmpty();
    assertThat(run(pod).code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("192.0.2.7\tfriend\nmore\n");
    assertThat(Path.of("/etc/hosts")).hasContent(before.stripTrailing());
  }

  @Test
  void theRootFilesystemCanBeReadOnly() throws Exception {
    assumeMounts();
    Path outside = Files.createDirectories(dir.resolve("outside"));
    ObjectNode pod =
        pod("echo x >/stint-test/f && echo y >/dev/null && echo z >" + outside + "/lost");
    volume(pod, "a", "{\"emptyDir\": {}}", "/stint-test", "");
    security(pod, "{\"readOnlyRootFilesystem\": true}");
    assertThat(run(pod).code()).isNotZero();
    assertThat(log("stderr")).contains(outside + "/lost", "Read-only").doesNotContain("stint-test");
    assertThat(outside).isEmptyDirectory();
    ObjectNode without = PodCluster.newPod("b", "sh", "-c", "echo z >" + outside + "/lost");
    security(without, "{\"readOnlyRootFilesystem\": true}");
    assertThat(run(without).code()).isNotZero();
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void processesRunAsTheirUserWithItsGroupsAndWriteToTheirVolumes() throws Exception {
    assumeRoot();
    ObjectNode pod =
        pod(
            "id -u; id -g; id -G; echo $HOME; echo x >/stint-test/f; stat -c %g /stint-test/f; echo e >/dev/stderr");
    pod.withObjectProperty("spec")
        .set(
            "securityContext",
            Json.parse("{\"runAsUser\": 54321, \"runAsGroup\": 7, \"fsGroup\": 4242}"));
    volume(pod, "a", "{\"emptyDir\": {}}", "/stint-test", "");
    assertThat(run(pod).code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("54321\n7\n7 4242\n/\n4242\n");
    assertThat(log("stderr")).isEqualTo("e\n");
  }

  @Test
  void capabilitiesAreGivenUpForGood() throws Exception {
    assumeRoot();
    ObjectNode pod = pod("grep -E '^(Cap(Eff|Bnd)|NoNewPrivs)' /proc/self/status");
    security(
        pod,
        """
        {"allowPrivilegeEscalation": false,
         "capabilities": {"drop": ["ALL"], "add": ["NET_BIND_SERVICE"]}}
        """);
    assertThat(run(pod).code()).as(log("stderr")).isZero();
    assertThat(log("stdout"))
        .contains("CapEff:\t0000000000000400", "CapBnd:\t0000000000000400", "NoNewPrivs:\t1");
  }

  @Test
  void aContainerOverItsMemoryLimitIsKilledAndItsGroupRemoved() throws Exception {
    Path memory = Path.of("/sys/fs/cgroup/memory");
    assumeTrue(Files.isWritable(memory.resolve("tasks")), "needs a control group to write to");
    ObjectNode pod = pod("exec tail /dev/zero");
    limits(pod, "{\"memory\": \"24Mi\"}");
    Exit exit = run(pod);
    assertThat(exit.code()).isEqualTo(137);
    assertThat(exit.reason()).isEqualTo("OOMKilled");
    assertThat(AttemptDir.of(dir.resolve("pods"), "uid-a", "main", 0).exit().orElseThrow().reason())
        .isEqualTo("OOMKilled");
    runtime.forget("uid-a").get();
    assertThat(memory.resolve("stint/uid-a")).doesNotExist();
  }

  @Test
  void coresAreLimited() throws Exception {
    Path cpu = Path.of("/sys/fs/cgroup/cpu");
    assumeTrue(Files.isWritable(cpu.resolve("tasks")), "needs a control group to write to");
    ObjectNode pod =
        pod("grep cpu: /proc/self/cgroup; cat " + cpu + "/stint/uid-a/main.0/cpu.cfs_quota_us");
    limits(pod, "{\"cpu\": \"500m\"}");
    assertThat(run(pod).code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).contains("/stint/uid-a/main.0\n50000\n");
  }

  @Test
  void aLimitThatTheKernelRefusesTakesNoOtherLimitAway() throws Exception {
    ObjectNode pod = pod("cat /proc/self/cgroup");
    limitMoreThanThePod(pod);
    assertThat(run(pod).code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).containsPattern("memory.*/stint/uid-a/main.0\n");
  }

  @Test
  void aContainerDoesNotStartWithoutALimitThatIsRequired() throws Exception {
    runtime.close();
    ProcessOptions plain = ProcessOptions.NONE;
    runtime =
        runtime(
            dir,
            new ProcessOptions(
                List.of(), Map.of(), plain.logs(), plain.users(), true, Optional.empty()));
    ObjectNode pod = pod("true");
    limitMoreThanThePod(pod);
    assertThat(startError(pod)).startsWith("cannot enforce the limit of cpu: ");
  }

  /** A group of version 1 cannot have more than the one above it. */
  private static void limitMoreThanThePod(ObjectNode pod) throws IOException {
    Path cpu = Path.of("/sys/fs/cgroup/cpu");
    assumeTrue(Files.isWritable(cpu.resolve("tasks")), "needs a control group to write to");
    Path outer = Files.createDirectories(cpu.resolve("stint/uid-a"));
    Files.writeString(outer.resolve("cpu.cfs_quota_us"), "1000");
    limits(pod, "{\"cpu\": \"500m\", \"memory\": \"64Mi\"}");
  }

  @Test
  void theLastWordIsInAFileThatAVariableNames() throws Exception {
    ObjectNode pod = pod("printf 'out of milk' >$STINT_TERMINATION_LOG; exit 3");
    assertThat(run(pod).message()).isEqualTo("out of milk");
    ObjectNode quiet = PodCluster.newPod("b", "sh", "-c", "echo why >&2; exit 3");
    assertThat(run(quiet).message()).isEmpty();
    ObjectNode longer =
        PodCluster.newPod(
            "c", "sh", "-c", "head -c 5000 /dev/zero | tr '\\0' x >$STINT_TERMINATION_LOG");
    assertThat(run(longer).message()).hasSize(4096);
  }

  @Test
  void theTerminationMessageOfAFailureIsTheEndOfTheLogIfConfigured() throws Exception {
    for (int code : new int[] {0, 3}) {
      ObjectNode pod =
          PodCluster.newPod("p" + code, "sh", "-c", "seq 200; echo why >&2; exit " + code);
      container(pod).put("terminationMessagePolicy", "FallbackToLogsOnError");
      String message = run(pod).message();
      assertThat(message.lines().count()).isEqualTo(code == 0 ? 0 : 80);
      assertThat(message).isEqualTo(code == 0 ? "" : message.strip() + "\n");
    }
  }

  @Test
  void theLastWordMayBeAtAPathOfTheContainersOwn() throws Exception {
    assumeMounts();
    ObjectNode pod = pod("echo bye >/stint-test/last; exit 3");
    container(pod).put("terminationMessagePath", "/stint-test/last");
    assertThat(run(pod).message()).as(log("stderr")).isEqualTo("bye\n");
    assertThat(Path.of("/stint-test")).doesNotExist();
  }

  @Test
  void theDefaultTerminationMessagePathExistsIfNamed() throws Exception {
    assumeMounts();
    Path ofMachine = Path.of("/dev/termination-log");
    assumeFalse(Files.exists(ofMachine), "the machine has such a file");
    ObjectNode pod = pod("echo bye >/dev/termination-log; echo x >/dev/null; exit 3");
    assertThat(run(pod).message()).as(log("stderr")).isEqualTo("bye\n");
    assertThat(ofMachine).doesNotExist();
  }

  @Test
  void anIsolationThatCannotBeSetUpFailsAtOnceWithAReason() throws Exception {
    assumeMounts();
    ObjectNode missing = pod("true");
    volume(missing, "a", "{\"configMap\": {\"name\": \"no\"}}", "/stint-test", "");
    assertThat(listen(missing, container(missing)).waits.get())
        .isEqualTo("ContainerCreating: config map \"no\" not found");
    ObjectNode nothing = PodCluster.newPod("b", "/stint-test/no");
    volume(nothing, "a", "{\"emptyDir\": {}}", "/stint-test", "");
    assertThat(startError(nothing)).isEqualTo("cannot run \"/stint-test/no\": no such file");
    ObjectNode unknown = PodCluster.newPod("c", "no-such-command");
    volume(unknown, "a", "{\"emptyDir\": {}}", "/stint-test", "");
    assertThat(startError(unknown)).contains("not found in PATH");
    ObjectNode nowhere = PodCluster.newPod("d", "true");
    container(nowhere).put("workingDir", "/no/such");
    volume(nowhere, "a", "{\"emptyDir\": {}}", "/stint-test", "");
    assertThat(startError(nowhere)).startsWith("workingDir \"/no/such\"");
    ObjectNode file = PodCluster.newPod("e", "true");
    volume(file, "a", "{\"emptyDir\": {}}", "/etc/passwd", "");
    assertThat(startError(file)).startsWith("cannot mount: ");
  }

  @Test
  void anAttemptOutlivesItsRuntimeAndKeepsItsTerminationMessage() throws Exception {
    assumeMounts();
    Path pipe = pipe();
    ObjectNode pod =
        pod(
            "exec 3>"
                + pipe
                + "; echo ready >&3; read _ <"
                + pipe
                + ".go; cat /stint-test/color"
                + " >$STINT_TERMINATION_LOG; exit 9");
    volume(pod, "a", "{\"configMap\": {\"name\": \"settings\"}}", "/stint-test", "");
    start(pod, container(pod));
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
      runtime.close();
      runtime = runtime(dir);
      CompletableFuture<Exit> again = start(pod, container(pod));
      Files.writeString(Path.of(pipe + ".go"), "go\n");
      assertThat(again.get().code()).isEqualTo(9);
      assertThat(again.get().message()).isEqualTo("blue");
    }
  }

  private static void limits(ObjectNode pod, String limits) {
    container(pod).putObject("resources").set("limits", Json.parse(limits));
  }
}
