package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.PodBuilder;
import dev.stint.model.KubeObject;
import dev.stint.runner.PodCluster;
import dev.stint.runner.runtime.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Volumes of containers that are real processes. */
class VolumesTest extends IsolationFixture {
  VolumesTest(@TempDir Path dir) throws IOException {
    super(dir);
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
  void aPodThatRunsAgainAfterALossOfPowerHasItsFiles() throws Exception {
    assumeMounts();
    ObjectNode pod = pod("cat /stint-test/color");
    volume(pod, "a", "{\"configMap\": {\"name\": \"settings\"}}", "/stint-test", "");
    assertThat(run(pod).code()).isZero();
    Files.writeString(volumeOfFiles("a").resolve("color"), "");
    Files.move(volumeOfFiles("a"), volumeDir("a.earlier-boot"));
    assertThat(run(pod).code()).isZero();
    assertThat(Files.readString(dir.resolve("logs/default/a/a/main.1.stdout"))).isEqualTo("blue");
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
    assertThat(run(reader).code()).as("it cannot write").isNotZero();
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
}
