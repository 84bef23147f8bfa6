package dev.stint.runner.process.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.model.Json;
import dev.stint.runner.spec.ResourceLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With plain directories, which show the writes to the kernel. */
class CgroupsTest {
  private static final ResourceLimits BOTH =
      ResourceLimits.of(
          Json.parse("{\"resources\": {\"limits\": {\"cpu\": \"250m\", \"memory\": \"64Mi\"}}}"));

  @TempDir Path root;

  @Test
  void versionTwoHasOneGroupForAllControllers() throws Exception {
    version2(root);
    Cgroups groups = Cgroups.find(root, List.of("0::/"));
    Path group = root.resolve("stint/uid/main.0");
    assertThat(groups.make("uid", "main.0", BOTH))
        .isEqualTo(new Cgroups.Made(List.of(group.resolve("cgroup.procs")), List.of()));
    assertThat(group.resolve("memory.max")).hasContent("67108864");
    assertThat(group.resolve("memory.oom.group")).hasContent("1");
    assertThat(group.resolve("cpu.max")).hasContent("25000 100000");
    assertThat(root.resolve("stint/uid/cgroup.subtree_control")).hasContent("+cpu +memory");
  }

  @Test
  void versionTwoWithoutItsRootMakesSiblingsOfItsOwnGroup() throws Exception {
    Files.writeString(root.resolve("cgroup.controllers"), "cpu memory");
    Path slice = Files.createDirectories(root.resolve("user.slice/app.slice"));
    version2(slice);
    Cgroups groups = Cgroups.find(root, List.of("0::/user.slice/app.slice/stint.scope"));
    groups.make("uid", "main.0", BOTH);
    assertThat(slice.resolve("stint/uid/main.0/cpu.max")).exists();
  }

  @Test
  void aDelegatedGroupOfItsOwnIsEmptiedAndUsed() throws Exception {
    Files.writeString(root.resolve("cgroup.controllers"), "cpu memory");
    Path own = Files.createDirectories(root.resolve("system.slice/stint.service"));
    version2(own);
    String pid = String.valueOf(ProcessHandle.current().pid());
    Files.writeString(own.resolve("cgroup.procs"), pid + "\n");
    Cgroups groups = Cgroups.find(root, List.of("0::/system.slice/stint.service"));
    groups.make("uid", "main.0", BOTH);
    assertThat(own.resolve("stint-main/cgroup.procs")).hasContent(pid);
    assertThat(own.resolve("cgroup.subtree_control")).hasContent("+cpu +memory");
    assertThat(own.resolve("stint/uid/main.0/cpu.max")).exists();
  }

  @Test
  void aGroupWithProcessesOfOthersIsLeftAlone() throws Exception {
    Files.writeString(root.resolve("cgroup.controllers"), "cpu memory");
    Path own = Files.createDirectories(root.resolve("user.slice/terminal.scope"));
    version2(own);
    version2(root.resolve("user.slice"));
    Files.writeString(own.resolve("cgroup.procs"), "1\n");
    Cgroups groups = Cgroups.find(root, List.of("0::/user.slice/terminal.scope"));
    groups.make("uid", "main.0", BOTH);
    assertThat(own.resolve("stint-main")).doesNotExist();
    assertThat(root.resolve("user.slice/stint/uid/main.0/cpu.max")).exists();
  }

  @Test
  void versionOneHasAGroupPerController() throws Exception {
    Files.createDirectories(root.resolve("cpu"));
    Files.createDirectories(root.resolve("memory"));
    Cgroups groups = Cgroups.find(root, List.of());
    assertThat(groups.make("uid", "main.0", BOTH).members())
        .containsExactly(
            root.resolve("memory/stint/uid/main.0/cgroup.procs"),
            root.resolve("cpu/stint/uid/main.0/cgroup.procs"));
    assertThat(root.resolve("memory/stint/uid/main.0/memory.limit_in_bytes"))
        .hasContent("67108864");
    assertThat(root.resolve("cpu/stint/uid/main.0/cpu.cfs_quota_us")).hasContent("25000");
    assertThat(groups.unmet(BOTH)).isEmpty();
  }

  @Test
  void versionOneUsesItsOwnGroupIfTheTopIsNotWritable() throws Exception {
    Path own = Files.createDirectories(root.resolve("memory/users/me"));
    Files.createFile(root.resolve("memory/stint")); // No group can be made there.
    Cgroups groups = Cgroups.find(root, List.of("5:cpu,cpuacct:/users/me", "4:memory:/users/me"));
    assertThat(groups.make("uid", "main.0", BOTH).members())
        .containsExactly(own.resolve("stint/uid/main.0/cgroup.procs"));
    assertThat(groups.unmet(BOTH)).containsExactly("cpu");
  }

  /** The kernel refuses larger limits of CPU, and no machine has as many cores. */
  @Test
  void aLimitThatIsTooLargeForTheKernelIsNone() throws Exception {
    version2(root);
    Cgroups two = Cgroups.find(root, List.of("0::/"));
    Path group = root.resolve("stint/uid/main.0");
    long most = 175_921_860_444L;
    assertThat(two.make("uid", "main.0", new ResourceLimits(most, null)).faults()).isEmpty();
    assertThat(group.resolve("cpu.max")).hasContent("17592186044400 100000");
    for (long more : List.of(most + 1, Long.MAX_VALUE)) {
      two.make("uid", "main.0", new ResourceLimits(more, null));
      assertThat(group.resolve("cpu.max")).hasContent("max 100000");
    }
    Path one = Files.createDirectories(root.resolve("one/cpu")).getParent();
    Cgroups.find(one, List.of()).make("uid", "main.0", new ResourceLimits(most + 1, null));
    assertThat(one.resolve("cpu/stint/uid/main.0/cpu.cfs_quota_us")).hasContent("-1");
  }

  @Test
  void aLimitThatTheKernelRefusesTakesNoOtherLimitAway() throws Exception {
    version2(root);
    Files.createDirectories(root.resolve("stint/uid/main.0/cpu.max")); // Cannot be written.
    Cgroups groups = Cgroups.find(root, List.of("0::/"));
    Cgroups.Made made = groups.make("uid", "main.0", BOTH);
    assertThat(made.members()).containsExactly(root.resolve("stint/uid/main.0/cgroup.procs"));
    assertThat(made.faults()).hasSize(1).first().asString().startsWith("limit of cpu: ");
    assertThat(root.resolve("stint/uid/main.0/memory.max")).hasContent("67108864");
  }

  @Test
  void aGroupWithoutItsLimitIsNotJoinedInVersionOne() throws Exception {
    Files.createDirectories(root.resolve("memory/stint/uid/main.0/memory.limit_in_bytes"));
    Files.createDirectories(root.resolve("cpu"));
    Cgroups.Made made = Cgroups.find(root, List.of()).make("uid", "main.0", BOTH);
    assertThat(made.members()).containsExactly(root.resolve("cpu/stint/uid/main.0/cgroup.procs"));
    assertThat(made.faults()).hasSize(1).first().asString().startsWith("limit of memory: ");
  }

  @Test
  void onlyTheControllersThatThereAreAreDelegated() throws Exception {
    version2(root);
    Files.writeString(root.resolve("stint/cgroup.controllers"), "memory pids");
    Cgroups groups = Cgroups.find(root, List.of("0::/"));
    groups.make("uid", "main.0", BOTH);
    assertThat(root.resolve("stint/uid/cgroup.subtree_control")).hasContent("+memory");
  }

  @Test
  void versionTwoKillsAGroupAtOnce() throws Exception {
    version2(root);
    Cgroups groups = Cgroups.find(root, List.of("0::/"));
    groups.make("uid", "main.0", BOTH);
    Path kill = Files.writeString(root.resolve("stint/uid/main.0/cgroup.kill"), "");
    groups.remove("uid", "main.0");
    assertThat(kill).hasContent("1");
  }

  /** Takes a real hierarchy of version 2, which may be mounted beside version 1. */
  @Test
  @Timeout(30)
  void theKernelKillsAGroupWhoseProcessesLeaveTheirSessionAndStartOthers() throws Exception {
    Path real = mountOfVersion2();
    Path group = real.resolve("stint-test-" + ProcessHandle.current().pid());
    assumeTrue(group.toFile().mkdir(), "NOT TESTED: " + real + " is not writable");
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "echo 0 >$0/cgroup.procs; (setsid sh -c 'while :; do sleep 0.01; done' &) ;"
                    + " echo ready; exec sleep 1000",
                group.toString())
            .start();
    assertThat(process.inputReader().readLine()).isEqualTo("ready");
    assertThat(group.resolve("cgroup.kill")).exists();
    boolean gone = Cgroups.remove(group);
    while (!gone) {
      Thread.onSpinWait(); // Processes take a moment to end.
      gone = Cgroups.remove(group);
    }
    assertThat(group).doesNotExist();
    assertThat(process.waitFor()).isEqualTo(128 + 9);
  }

  private static Path mountOfVersion2() throws IOException {
    List<String> mounts = Files.readAllLines(Path.of("/proc/self/mounts"));
    List<Path> found =
        mounts.stream()
            .map(line -> line.split(" "))
            .filter(fields -> fields[2].equals("cgroup2"))
            .map(fields -> Path.of(fields[1]))
            .filter(mount -> Files.isWritable(mount))
            .toList();
    assumeTrue(!found.isEmpty(), "NOT TESTED: no control groups of version 2");
    return found.getFirst();
  }

  @Test
  void limitsAreUnmetIfNoGroupIsWritable() throws Exception {
    Cgroups groups = Cgroups.find(root, List.of());
    assertThat(groups.unmet(BOTH)).containsExactly("cpu", "memory");
    assertThat(groups.make("uid", "main.0", BOTH).members()).isEmpty();
    assertThat(groups.wasOutOfMemory("uid", "main.0")).isFalse();
    assertThat(groups.remove("uid")).isTrue();
  }

  @Test
  void anOutOfMemoryKillIsReadFromTheGroup() throws Exception {
    Files.createDirectories(root.resolve("memory"));
    Cgroups groups = Cgroups.find(root, List.of());
    groups.make("uid", "main.0", BOTH);
    Path events = root.resolve("memory/stint/uid/main.0/memory.oom_control");
    Files.writeString(events, "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n");
    assertThat(groups.wasOutOfMemory("uid", "main.0")).isFalse();
    Files.writeString(events, "oom_kill_disable 0\nunder_oom 0\noom_kill 10\n");
    assertThat(groups.wasOutOfMemory("uid", "main.0")).isTrue();
  }

  @Test
  void noLimitIsNone() {
    assertThat(ResourceLimits.of(Json.object()).isEmpty()).isTrue();
    assertThat(
            ResourceLimits.of(Json.parse("{\"resources\": {\"limits\": {\"cpu\": 0}}}")).isEmpty())
        .isTrue();
    assertThat(ResourceLimits.of(Json.parse("{\"resources\": {\"limits\": {\"cpu\": 2}}}")))
        .isEqualTo(new ResourceLimits(2000L, null));
  }

  private static void version2(Path outer) throws IOException {
    Files.writeString(outer.resolve("cgroup.controllers"), "cpu memory");
    Files.writeString(outer.resolve("cgroup.subtree_control"), "");
    Files.createDirectories(outer.resolve("stint"));
    Files.writeString(outer.resolve("stint/cgroup.controllers"), "cpu memory");
  }
}
