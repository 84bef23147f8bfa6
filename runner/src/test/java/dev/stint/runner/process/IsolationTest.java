package dev.stint.runner.process;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.harness.PodBuilder;
import dev.stint.harness.TestTime;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.PodCluster;
import dev.stint.runner.file.FileTrees;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.isolation.MachineCapabilities;
import dev.stint.runner.process.shim.ShimProgram;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.spec.Handler;
import dev.stint.runner.spec.PodInputs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** The environment of real processes: volumes, users, limits, termination messages. */
@Timeout(60)
@Isolated("a pod with a read-only root fails if a mount of another test vanishes meanwhile")
class IsolationTest {
  private static final PodInputs INPUTS =
      new PodInputs(
          Map.of(
              "settings",
              KubeObject.of(
                  Json.parse(
                      """
                      {"data": {"color": "blue", "run.sh": "#!/bin/sh\\necho ran in $PWD; exit 4"}}
                      """))),
          Map.of("keys", KubeObject.of(Json.parse("{\"data\": {\"token\": \"c2VjcmV0\"}}"))));

  private final Path dir;
  private final TestTime time = new TestTime();
  private final List<String> started = new ArrayList<>();
  private ProcessRuntime runtime;

  IsolationTest(@TempDir Path dir) throws IOException {
    this.dir = dir;
    this.runtime = runtime(dir);
  }

  @AfterEach
  void endWhatIsLeft() {
    started.forEach(uid -> runtime.forget(uid).join());
    runtime.close();
  }

  @Test
  void volumesAreMountedOnNewPathsWithoutChangingTheMachine() throws Exception {
    assumeMounts();
    ObjectNode pod =
        pod(
            "cat /stint-test/color /etc/stint-test/token /usr/share/stint-test/name/uid; ls /etc/passwd");
    volume(pod, "a", "{\"configMap\": {\"name\": \"settings\"}}", "/stint-test", "");
    volume(pod, "b", "{\"secret\": {\"secretName\": \"keys\"}}", "/etc/stint-test", "");
    volume(
        pod,
        "c",
        """
        {"downwardAPI": {"items": [{"path": "uid", "fieldRef": {"fieldPath": "metadata.uid"}}]}}
        """,
        "/usr/share/stint-test/name",
        "");
    assertThat(run(pod).code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("bluesecretuid-a/etc/passwd\n");
    for (String path : List.of("/stint-test", "/etc/stint-test", "/usr/share/stint-test")) {
      assertThat(Path.of(path)).doesNotExist();
    }
  }

  @Test
  void siblingsOfANewMountPathCanBeReadAndWrittenButNotAdded() throws Exception {
    assumeMounts();
    Path shown = dir.resolve("shown");
    Files.createDirectories(shown.resolve("inner"));
    Files.writeString(shown.resolve("file"), "old\n");
    ObjectNode pod =
        pod("cd " + shown + "; cat file; echo new >file; echo in >inner/f; echo lost >other");
    volume(pod, "a", "{\"emptyDir\": {}}", shown + "/place/deep", "");
    assertThat(run(pod).code()).isNotZero();
    assertThat(log("stdout")).isEqualTo("old\n");
    assertThat(log("stderr")).contains("other", "Read-only file system");
    assertThat(shown.resolve("file")).hasContent("new");
    assertThat(shown.resolve("inner/f")).hasContent("in");
    assertThat(shown).isDirectoryNotContaining("glob:**/{other,place}");
  }

  @Test
  void containersShareAVolumeWhichIsRemovedWithThePod() throws Exception {
    assumeMounts();
    ObjectNode pod = pod("echo shared >/stint-test/f");
    ObjectNode reader =
        PodBuilder.newContainer(
            "reader", "sh", "-c", "until [ -s /there/f ]; do :; done; cat /there/f");
    ((ObjectNode) pod.get("spec")).withArray("containers").add(reader);
    volume(pod, "a", "{\"emptyDir\": {}}", "/stint-test", "");
    reader.putArray("volumeMounts").addObject().put("name", "a").put("mountPath", "/there");
    CompletableFuture<Exit> reading = start(pod, reader);
    assertThat(run(pod).code()).isZero();
    assertThat(reading.get().code()).isZero();
    assertThat(log("reader", "stdout")).isEqualTo("shared\n");
    runtime.forget("uid-a").get();
    assertThat(dir.resolve("pods/uid-a")).doesNotExist();
  }

  @Test
  void aCommandAndItsWorkingDirectoryMayBeInAVolume() throws Exception {
    assumeMounts();
    ObjectNode pod = PodCluster.newPod("a", "./run.sh");
    container(pod).put("workingDir", "/stint-test");
    volume(
        pod,
        "a",
        "{\"configMap\": {\"name\": \"settings\", \"defaultMode\": 493}}",
        "/stint-test",
        "");
    assertThat(run(pod).code()).isEqualTo(4);
    assertThat(log("stdout")).isEqualTo("ran in /stint-test\n");
  }

  @Test
  void aPartOfAVolumeCanStandInForAFile() throws Exception {
    assumeMounts();
    ObjectNode pod = pod("cat /etc/hosts /etc/stint-test.conf");
    String source = "{\"configMap\": {\"name\": \"settings\"}}";
    volume(pod, "a", source, "/etc/hosts", "\"subPath\": \"color\"");
    volume(pod, "b", source, "/etc/stint-test.conf", "\"subPath\": \"color\"");
    assertThat(run(pod).code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("blueblue");
  }

  @Test
  void partsCanBeNamedByVariablesAndMountsCanBeReadOnlyAndWithinEachOther() throws Exception {
    assumeMounts();
    ObjectNode pod =
        pod("echo 1 >/stint-test/f; echo 2 >/stint-test/in/f; ls /stint-test/all/part");
    container(pod).putArray("env").addObject().put("name", "PART").put("value", "part");
    volume(pod, "a", "{\"emptyDir\": {}}", "/stint-test", "\"subPathExpr\": \"$(PART)\"");
    mount(pod, "a", "/stint-test/all", "\"readOnly\": true");
    volume(pod, "b", "{\"emptyDir\": {}}", "/stint-test/in", "\"readOnly\": true");
    run(pod);
    assertThat(log("stdout")).contains("f\n", "in\n", "all\n");
    assertThat(log("stderr")).contains("/stint-test/in/f", "Read-only");
  }

  @Test
  void temporaryFilesNextToAVolumeInTmpAreTheContainersOwn() throws Exception {
    assumeMounts();
    ObjectNode pod =
        pod("echo x >/tmp/stint-test-own; cat /tmp/stint-test-own; ls /tmp/stint-test");
    volume(pod, "a", "{\"configMap\": {\"name\": \"settings\"}}", "/tmp/stint-test", "");
    assertThat(run(pod).code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("x\ncolor\nrun.sh\n");
    assertThat(Path.of("/tmp/stint-test-own")).doesNotExist();
  }

  @Test
  void aDirectoryOnDiskIsTooLargeOnceItsFilesAre() throws Exception {
    assumeMounts();
    ObjectNode pod = pod("mkdir /stint-test/d; head -c 600000 /dev/zero >/stint-test/d/f");
    volume(pod, "a", "{\"emptyDir\": {\"sizeLimit\": \"1Mi\"}}", "/stint-test", "");
    assertThat(run(pod).code()).as(log("stderr")).isZero();
    assertThat(runtime.overuse(KubeObject.of(pod)).get()).isEmpty();
    Files.write(dir.resolve("pods/uid-a/.volumes/a/g"), new byte[600_000]);
    assertThat(runtime.overuse(KubeObject.of(pod)).get())
        .hasValue("Usage of EmptyDir volume \"a\" exceeds the limit \"1Mi\". ");
  }

  @Test
  void memoryVolumesHaveTheirSizeAndAreRemovedWithThePod() throws Exception {
    assumeRoot();
    ObjectNode pod = pod("head -c 3000000 /dev/zero >/stint-test/f");
    volume(
        pod,
        "a",
        "{\"emptyDir\": {\"medium\": \"Memory\", \"sizeLimit\": \"1Mi\"}}",
        "/stint-test",
        "");
    Exit exit = run(pod);
    assertThat(exit.code()).isNotZero();
    assertThat(exit.message())
        .isEqualTo(
            "the file system of "
                + dir.toRealPath().resolve("pods/uid-a/.volumes/a")
                + " is full (0 bytes left)");
    assertThat(log("stderr")).contains("No space left");
    assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).contains("uid-a/.volumes/a ");
    runtime.forget("uid-a").get();
    assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain("uid-a/.volumes");
    assertThat(dir.resolve("pods/uid-a")).doesNotExist();
  }

  @Test
  void hostPathsAreMountedIfAllowed() throws Exception {
    assumeMounts();
    Path open = Files.createDirectories(dir.resolve("open/here"));
    ObjectNode pod = pod("echo x >/stint-test/f");
    volume(pod, "a", "{\"hostPath\": {\"path\": \"" + open + "\"}}", "/stint-test", "");
    assertThat(ProcessRuntime.refusals(KubeObject.of(pod), "", ProcessOptions.NONE))
        .extracting(fault -> fault.path())
        .containsExactly("spec.volumes[0].hostPath.path");
    assertThat(runtime.unsupported(KubeObject.of(pod))).isEmpty();
    assertThat(run(pod).code()).as(log("stderr")).isZero();
    assertThat(open.resolve("f")).hasContent("x");
  }

  @Test
  void aMissingHostPathIsAwaited() throws Exception {
    assumeMounts();
    Path late = dir.resolve("open/late");
    Files.createDirectories(dir.resolve("open"));
    ObjectNode pod = pod("cat /stint-test/f");
    volume(pod, "a", "{\"hostPath\": {\"path\": \"" + late + "\"}}", "/stint-test", "");
    ExitListener listener = listen(pod, container(pod));
    assertThat(listener.waits.get())
        .isEqualTo("ContainerCreating: hostPath " + late + " of volume \"a\" does not exist");
    assertThat(listener.exit).isNotDone();
    Files.createDirectories(late);
    Files.writeString(late.resolve("f"), "there");
    assertThat(listener.exit.get().code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("there");
  }

  /** A text that can't be read before a latch opens. */
  private static final class LateText extends StringNode {
    private static final long serialVersionUID = 1L;

    private final transient CountDownLatch latch;

    LateText(String text, CountDownLatch latch) {
      super(text);
      this.latch = latch;
    }

    @Override
    public String stringValue(String otherwise) {
      try {
        latch.await();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
      return stringValue();
    }
  }

  @Test
  void aClaimIsADirectoryThatOutlivesItsPods() throws Exception {
    assumeMounts();
    String claim = "{\"persistentVolumeClaim\": {\"claimName\": \"data\"}}";
    ObjectNode pod = pod("echo kept >>/stint-test/f");
    volume(pod, "a", claim, "/stint-test", "");
    assertThat(run(pod).code()).as(log("stderr")).isZero();
    runtime.forget("uid-a").get();
    ObjectNode reader =
        PodCluster.newPod("b", "sh", "-c", "cat /stint-test/f; echo >/stint-test/g");
    volume(reader, "a", claim.replace("}}", ", \"readOnly\": true}}"), "/stint-test", "");
    assertThat(run(reader).code()).as("it can't write").isNotZero();
    assertThat(dir.resolve("logs/default/b/b/main.0.stdout")).hasContent("kept");
    assertThat(dir.resolve("volumes/default/data/f")).hasContent("kept");
    assertThat(Files.getPosixFilePermissions(dir.resolve("volumes/default")))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void aPartOfAClaimLeadsNowhereElse() throws Exception {
    assumeMounts();
    Path volume = Files.createDirectories(dir.resolve("volumes/default/data"));
    Files.createSymbolicLink(volume.resolve("out"), Path.of("/etc"));
    ObjectNode pod = pod("ls /stint-test");
    volume(
        pod,
        "a",
        "{\"persistentVolumeClaim\": {\"claimName\": \"data\"}}",
        "/stint-test",
        "\"subPath\": \"out\"");
    assertThat(listen(pod, container(pod)).waits.get()).contains("leads out of the volume");
  }

  @Test
  void aVariableComesFromAFileThatAnotherContainerWrote() throws Exception {
    assumeMounts();
    ObjectNode pod = pod("echo \"got $X\"");
    ObjectNode writer =
        PodBuilder.newContainer("writer", "sh", "-c", "echo \"A='from a file'\" >/stint-test/env");
    pod.withObject("spec").putArray("volumes").addObject().put("name", "v").putObject("emptyDir");
    ObjectNode mount = writer.putArray("volumeMounts").addObject();
    mount.put("name", "v").put("mountPath", "/stint-test");
    ObjectNode variable = container(pod).putArray("env").addObject().put("name", "X");
    ObjectNode ref = variable.putObject("valueFrom").putObject("fileKeyRef");
    ref.put("volumeName", "v").put("path", "env").put("key", "A");
    ExitListener early = listen(pod, container(pod));
    assertThat(early.waits.get())
        .isEqualTo(
            "CreateContainerConfigError: file \"env\" of volume \"v\" has no variable \"A\"");
    assertThat(start(pod, writer).get().code()).isZero();
    assertThat(early.exit.get().code()).isZero();
    assertThat(log("stdout")).isEqualTo("got from a file\n");
  }

  @Test
  void aVolumeThatTakesLongHoldsUpNoOtherPod() throws Exception {
    assumeMounts();
    CountDownLatch filled = new CountDownLatch(1);
    ExitListener late = startLate(pod("cat /stint-test/k"), filled).listener();
    assertThat(run(PodCluster.newPod("b", "true")).code()).isZero();
    assertThat(late.exit).isNotDone();
    filled.countDown();
    assertThat(late.exit.get().code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("late");
  }

  @Test
  void aContainerThatIsStoppedWhileItsVolumeIsFilledNeverStarts() throws Exception {
    assumeMounts();
    CountDownLatch filled = new CountDownLatch(1);
    Late late = startLate(pod("cat /stint-test/k"), filled);
    late.attempt().signal(Attempt.Signal.TERM);
    assertThat(run(PodCluster.newPod("b", "true")).code()).isZero();
    assertThat(late.listener().exit).isNotDone();
    filled.countDown();
    assertThat(late.listener().exit.get().reason()).isEqualTo("ContainerStatusUnknown");
  }

  @Test
  void noOtherPodGetsTheSecretsOfAPodThatDidNotStart() throws Exception {
    assumeMounts();
    ObjectNode pod = pod("true");
    volume(pod, "a", "{\"secret\": {\"secretName\": \"keys\"}}", "/stint-test", "");
    container(pod).remove("command");
    assertThat(startError(pod)).contains("has no command");
    assertThat(dir.resolve("pods/uid-a/.volumes/a/token")).exists();
    runtime.forget("uid-a").get();
    assertThat(dir.resolve("pods/.spare")).isEmptyDirectory();
    assertThat(dir.resolve("pods/uid-a")).doesNotExist();
  }

  @Test
  void onlyStintMayEnterTheDirectoryOfAPodWithVolumes() throws Exception {
    assumeMounts();
    ObjectNode pod = pod("true");
    volume(pod, "a", "{\"secret\": {\"secretName\": \"keys\"}}", "/stint-test", "");
    assertThat(run(pod).code()).isZero();
    assertThat(Files.getPosixFilePermissions(dir.resolve("pods/uid-a")))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void anErrorWhileAVolumeIsFilledEndsItsPodOnly() throws Exception {
    assumeMounts();
    Late broken =
        startLate(
            pod("true"),
            text ->
                new StringNode(text) {
                  private static final long serialVersionUID = 1L;

                  @Override
                  public String stringValue(String otherwise) {
                    throw new OutOfMemoryError("for the test");
                  }
                });
    Exit exit = broken.listener().exit.get();
    assertThat(exit.reason()).isEqualTo("StartError");
    assertThat(exit.message()).contains("OutOfMemoryError: for the test");
    assertThat(run(PodCluster.newPod("b", "true")).code()).isZero();
  }

  private record Late(Attempt attempt, ExitListener listener) {}

  private Late startLate(ObjectNode pod, CountDownLatch filled) {
    return startLate(pod, text -> new LateText(text, filled));
  }

  /**
   * Starts a container that mounts a config map.
   *
   * @param value makes the value of its only key
   */
  private Late startLate(ObjectNode pod, Function<String, StringNode> value) {
    volume(pod, "a", "{\"configMap\": {\"name\": \"late\"}}", "/stint-test", "");
    ObjectNode source = Json.object();
    source.putObject("data").set("k", value.apply("late"));
    PodInputs inputs = new PodInputs(Map.of("late", KubeObject.of(source)), Map.of());
    started.add("uid-a");
    ExitListener listener = new ExitListener();
    ContainerRun run = new ContainerRun(KubeObject.of(pod), container(pod), 0, false, inputs);
    return new Late(runtime.start(run, listener), listener);
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
  void aProgramSeesTheContainersVariablesOnlyAsTheContainersUser() throws Exception {
    assumeRoot();
    Path open = Files.createTempDirectory("stint-test");
    Files.setAttribute(open, "unix:mode", 0777);
    Path pipe = pipe();
    ObjectNode pod = pod("echo \"$LD_DEBUG\"; exec 3>$PIPE; echo ready >&3; read _ <$PIPE.go");
    // The dynamic linker of each program that has these variables writes a file.
    env(pod, "LD_DEBUG", "statistics");
    env(pod, "LD_DEBUG_OUTPUT", open + "/ld");
    env(pod, "PIPE", pipe.toString());
    volume(pod, "a", "{\"configMap\": {\"name\": \"settings\"}}", "/stint-test", "");
    for (Path each : List.of(dir, pipe, Path.of(pipe + ".go"))) {
      Files.setAttribute(each, "unix:mode", 0777);
    }
    security(pod, "{\"runAsUser\": 65534}");
    CompletableFuture<Exit> end = start(pod, container(pod));
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
      List<String> argv = List.of("sh", "-c", "echo \"$LD_DEBUG $HOME\"; id -u");
      try (ExecProcess process = runtime.exec(KubeObject.of(pod), container(pod), argv, false)) {
        assertThat(process.stdout().readAllBytes()).asString().startsWith("statistics /none");
      }
      Files.writeString(Path.of(pipe + ".go"), "go\n");
    }
    assertThat(end.get().code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("statistics\n");
    try (Stream<Path> written = Files.list(open)) {
      assertThat(written)
          .isNotEmpty()
          .allSatisfy(file -> assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(65534));
    }
    FileTrees.delete(open);
  }

  @Test
  void aPodOfAnotherUserMountsNothingOverWhatRootTrusts() throws Exception {
    assumeRoot();
    String planted = "{\"configMap\": {\"name\": \"settings\", \"defaultMode\": 493}}";
    for (String path : List.of("/usr/bin", "/usr", "/lib/stint-test", "/etc")) {
      ObjectNode pod = pod("true");
      volume(pod, "a", planted, path, "");
      security(pod, "{\"runAsUser\": 65534}");
      assertThat(startError(pod)).as(path).contains("mountPath");
      runtime.forget("uid-a").get();
    }
    for (String path : List.of("/etc/ld.so.preload", "/etc/passwd", "/usr/bin/mount")) {
      ObjectNode pod = pod("true");
      volume(pod, "a", planted, path, "\"subPath\": \"color\"");
      security(pod, "{\"runAsUser\": 65534}");
      assertThat(startError(pod)).contains("mountPath \"" + path + "\": a pod of another user");
      runtime.forget("uid-a").get();
    }
  }

  /** Otherwise a volume within a volume could hold the programs that root runs next. */
  @Test
  void aLinkInAVolumeDirectsNoMountOfAPodOfAnotherUserElsewhere() throws Exception {
    assumeRoot();
    Path outer = Files.createDirectories(volumeDir("a"));
    Files.createSymbolicLink(outer.resolve("link"), Path.of("/usr"));
    plantPrograms(Files.createDirectories(volumeDir("b")));
    ObjectNode pod = pod("true");
    volume(pod, "a", "{\"emptyDir\": {}}", "/mnt", "");
    volume(pod, "b", "{\"emptyDir\": {}}", "/mnt/link/bin", "");
    security(pod, "{\"runAsUser\": 65534}");
    Exit exit = run(pod);
    assertThat(exit.code()).isNotEqualTo(42);
    assertThat(exit.message())
        .startsWith("cannot mount at ")
        .endsWith("/mnt/link/bin: a link leads elsewhere");
  }

  /** Otherwise such a link would hide that there is something to check. */
  @Test
  void aLinkToTheAttemptsOwnDirectoryHidesNoPlan() throws Exception {
    assumeRoot();
    Path outer = Files.createDirectories(volumeDir("a"));
    Files.createSymbolicLink(outer.resolve("link"), dir.resolve("pods/uid-a/main/0"));
    Files.createSymbolicLink(outer.resolve("link2"), Path.of("/usr"));
    plantPrograms(Files.createDirectories(volumeDir("c")));
    ObjectNode pod = pod("true");
    volume(pod, "a", "{\"emptyDir\": {}}", "/mnt", "");
    volume(pod, "b", "{\"emptyDir\": {}}", "/mnt/link", "");
    volume(pod, "c", "{\"emptyDir\": {}}", "/mnt/link2/bin", "");
    security(pod, "{\"runAsUser\": 65534}");
    Exit exit = run(pod);
    assertThat(exit.code()).isNotEqualTo(42);
    assertThat(exit.message())
        .startsWith("cannot mount at ")
        .endsWith("/mnt/link: a link leads elsewhere");
  }

  private Path volumeDir(String name) {
    return dir.resolve("pods/uid-a/.volumes").resolve(name);
  }

  /** Plants working programs; the last one that root runs ends with 42. */
  private static void plantPrograms(Path planted) throws IOException {
    for (String program : List.of("sh", "mount", "stat")) {
      Files.copy(
          Path.of("/usr/bin", program).toRealPath(), planted.resolve(program), COPY_ATTRIBUTES);
    }
    Path setpriv = Files.writeString(planted.resolve("setpriv"), "#!/bin/sh\nexit 42\n");
    Files.setAttribute(setpriv, "unix:mode", 0755);
  }

  @Test
  void volumesOfAPodOfAnotherUserAreNested() throws Exception {
    assumeRoot();
    ObjectNode pod = pod("cat '/stint test/a\\b/color' /stint-test/color /stint-test/keys/token");
    volume(pod, "a", "{\"emptyDir\": {}}", "/stint test", "");
    volume(pod, "b", "{\"configMap\": {\"name\": \"settings\"}}", "/stint test/a\\b", "");
    volume(pod, "c", "{\"configMap\": {\"name\": \"settings\"}}", "/stint-test", "");
    volume(pod, "d", "{\"secret\": {\"secretName\": \"keys\"}}", "/stint-test/keys", "");
    security(pod, "{\"runAsUser\": 65534}");
    container(pod).put("workingDir", "/");
    assertThat(run(pod).code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("bluebluesecret");
  }

  @Test
  void aPodOfAnotherUserMountsFilesOverOtherSettings() throws Exception {
    assumeRoot();
    ObjectNode pod = pod("cat /etc/hosts /etc/stint-test.conf");
    String source = "{\"configMap\": {\"name\": \"settings\"}}";
    volume(pod, "a", source, "/etc/hosts", "\"subPath\": \"color\"");
    volume(pod, "b", source, "/etc/stint-test.conf", "\"subPath\": \"color\"");
    security(pod, "{\"runAsUser\": 65534}");
    container(pod).put("workingDir", "/");
    assertThat(run(pod).code()).as(log("stderr")).isZero();
    assertThat(log("stdout")).isEqualTo("blueblue");
  }

  @Test
  void aWorkingDirectoryIsEnteredAsTheContainersUser() throws Exception {
    assumeRoot();
    Path home = Files.createTempDirectory("stint-test");
    Path project = Files.createDirectory(home.resolve("project"));
    Files.writeString(project.resolve("secret"), "secret");
    Files.setAttribute(project, "unix:mode", 0755);
    ObjectNode pod = pod("cat secret");
    container(pod).put("workingDir", project.toString());
    security(pod, "{\"runAsUser\": 65534}");
    assertThat(startError(pod)).contains("is not a directory that can be entered");
    assertThat(log("stdout")).isEmpty();
    FileTrees.delete(home);
  }

  @Test
  void rootDoesNotEnterANamespaceThatAPodHasBuilt() throws Exception {
    assumeRoot();
    Path pipe = pipe();
    for (Path each : List.of(dir, pipe, Path.of(pipe + ".go"))) {
      Files.setAttribute(each, "unix:mode", 0777);
    }
    String built = "exec 3>" + pipe + "; echo ready >&3; read _ <" + pipe + ".go";
    ObjectNode pod = pod("exec unshare -Urm sh -c '" + built + "'");
    container(pod).put("workingDir", "/");
    volume(pod, "a", "{\"configMap\": {\"name\": \"settings\"}}", "/mnt", "");
    security(pod, "{\"runAsUser\": 65534}");
    CompletableFuture<Exit> end = start(pod, container(pod));
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
      assertThatThrownBy(
              () -> runtime.exec(KubeObject.of(pod), container(pod), List.of("true"), false))
          .hasMessageStartingWith("container main has a user namespace of its own");
      Files.writeString(Path.of(pipe + ".go"), "go\n");
    }
    assertThat(end.get().code()).as(log("stderr")).isZero();
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

  @Test
  void aContainerHasNoDescriptorOfStint() throws Exception {
    assumeMounts();
    ObjectNode pod = pod("ls /proc/self/fd | wc -l");
    volume(pod, "a", "{\"configMap\": {\"name\": \"settings\"}}", "/stint-test", "");
    assertThat(run(pod).code()).isZero();
    assertThat(log("stdout")).as("three, and that of ls").isEqualTo("4\n");
  }

  private static void env(ObjectNode pod, String name, String value) {
    container(pod).withArray("env").addObject().put("name", name).put("value", value);
  }

  private static void assumeMounts() {
    String why = MachineCapabilities.here().whyNoMounts().orElse("");
    assumeTrue(why.isEmpty(), why);
  }

  private static void assumeRoot() {
    assumeTrue(MachineCapabilities.here().identity().isRoot(), "only root can do so");
    assumeMounts();
  }

  private ProcessRuntime runtime(Path where) throws IOException {
    return new ProcessRuntime(
        where.resolve("pods"),
        where.resolve("logs"),
        Map.of("PATH", System.getenv("PATH"), "HOME", "/root"),
        time,
        IsolationTest::later,
        new ProcessOptions(List.of(where.resolve("open"))),
        true,
        Posix::spawn,
        shim());
  }

  ShimProgram shim() {
    return ShimProgram.SHELL;
  }

  /** The kernel needs real time for this, so a clock that stands still is of no use. */
  private static Runnable later(Duration delay, Runnable task) {
    CompletableFuture<?> done =
        CompletableFuture.runAsync(
            task, CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS));
    return () -> done.cancel(false);
  }

  private Exit run(ObjectNode pod) throws Exception {
    return start(pod, container(pod)).get();
  }

  private String startError(ObjectNode pod) throws Exception {
    Exit exit = run(pod);
    assertThat(exit.reason()).isEqualTo("StartError");
    return exit.message();
  }

  private CompletableFuture<Exit> start(ObjectNode pod, ObjectNode container) {
    return listen(pod, container).exit;
  }

  private ExitListener listen(ObjectNode pod, ObjectNode container) {
    ExitListener listener = new ExitListener();
    KubeObject object = KubeObject.of(pod);
    started.add(object.uid());
    runtime.start(new ContainerRun(object, container, 0, false, INPUTS), listener);
    return listener;
  }

  private Path pipe() throws Exception {
    Path pipe = dir.resolve("pipe");
    Process made = new ProcessBuilder("mkfifo", pipe.toString(), pipe + ".go").start();
    assertThat(made.waitFor()).isZero();
    return pipe;
  }

  private String log(String stream) throws IOException {
    return log("main", stream);
  }

  private String log(String container, String stream) throws IOException {
    Path file = dir.resolve("logs/default/a/a/" + container + ".0." + stream);
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private static ObjectNode pod(String script) {
    return PodCluster.newPod("a", "sh", "-c", script);
  }

  private static ObjectNode container(ObjectNode pod) {
    return (ObjectNode) pod.at("/spec/containers/0");
  }

  private static void volume(
      ObjectNode pod, String name, String source, String path, String options) {
    ObjectNode volume = Json.parse(source);
    volume.put("name", name);
    pod.withObjectProperty("spec").withArray("volumes").add(volume);
    mount(pod, name, path, options);
  }

  private static void mount(ObjectNode pod, String name, String path, String options) {
    ObjectNode mount = Json.parse("{" + options + "}");
    container(pod).withArray("volumeMounts").add(mount.put("name", name).put("mountPath", path));
  }

  private static void security(ObjectNode pod, String context) {
    container(pod).set("securityContext", Json.parse(context));
  }

  private static void limits(ObjectNode pod, String limits) {
    container(pod).putObject("resources").set("limits", Json.parse(limits));
  }
}
