package dev.stint.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.doctor.Finding.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory stands for the control groups; what a user cannot write is missing in it. */
class ControlGroupsTest {
  private static final int USER = 1000;
  private static final String SCOPE = "/user.slice/user-1000.slice/session-3.scope";
  private static final String MANAGER = "/user.slice/user-1000.slice/user@1000.service";

  @TempDir private Path root = Path.of("");
  private Path mounted = Path.of("");

  @BeforeEach
  void mount() throws IOException {
    mounted = Files.createDirectory(root.resolve("cgroup"));
  }

  private Path group(String name, String controllers) throws IOException {
    Path group = Files.createDirectories(mounted.resolve(name.substring(1)));
    Files.writeString(group.resolve("cgroup.controllers"), controllers + "\n");
    return group;
  }

  /** Lets the user divide a group, in which some processes run. */
  private void delegate(String name, String controllers, String processes) throws IOException {
    Path group = group(name, controllers);
    Files.writeString(group.resolve("cgroup.procs"), processes);
    Files.writeString(group.resolve("cgroup.subtree_control"), "");
  }

  private Finding look(String own) {
    return ControlGroups.of(mounted, List.of("0::" + own), USER, Set.of("7", "8")).finding();
  }

  @Test
  void rootMayDivideAllOfThem() throws Exception {
    delegate("/", "cpuset cpu io memory pids", "1\n2\n");
    Finding found = look(SCOPE);
    assertThat(found.state()).isEqualTo(State.OK);
    assertThat(found.found())
        .isEqualTo("version 2; this user may limit cpu, memory, pids at the top");
  }

  @Test
  void aDelegatedScopeMayBeDivided() throws Exception {
    group("/", "cpu memory pids");
    delegate(MANAGER + "/app.slice/run-1.scope", "cpu memory pids", "7\n8\n");
    Finding found = look(MANAGER + "/app.slice/run-1.scope");
    assertThat(found.state()).isEqualTo(State.OK);
    assertThat(found.found())
        .endsWith("cpu, memory, pids in " + MANAGER + "/app.slice/run-1.scope");
  }

  @Test
  void aSessionIsToldToUseAScope() throws Exception {
    group("/", "cpu memory pids");
    group(SCOPE, "cpu memory pids");
    group(MANAGER, "cpu memory pids");
    Finding found = look(SCOPE);
    assertThat(found.state()).isEqualTo(State.NOTE);
    assertThat(found.found()).isEqualTo("version 2; this user may limit nothing in " + SCOPE);
    assertThat(found.advice())
        .isEqualTo(
            "start it in a group of its own: systemd-run --user --scope -p Delegate=yes stint run"
                + " …; a unit needs Delegate=yes");
  }

  @Test
  void aDelegatedGroupOfOtherProgramsIsLeftAlone() throws Exception {
    group("/", "cpu memory pids");
    group(MANAGER, "cpu memory pids");
    delegate(MANAGER + "/shell.scope", "cpu memory pids", "6\n7\n");
    Finding found = look(MANAGER + "/shell.scope");
    assertThat(found.state()).isEqualTo(State.NOTE);
    assertThat(found.found()).endsWith("shell.scope, where other programs run");
    assertThat(found.advice()).startsWith("start it in a group of its own");
  }

  @Test
  void aManagerWithoutProcessorTimeIsToBeGivenIt() throws Exception {
    group("/", "cpu memory pids");
    group(MANAGER, "memory pids");
    delegate(MANAGER + "/run-1.scope", "memory pids", "7\n");
    Finding found = look(MANAGER + "/run-1.scope");
    assertThat(found.state()).isEqualTo(State.NOTE);
    assertThat(found.found()).contains("may limit memory, pids in");
    assertThat(found.advice())
        .contains("has only memory, pids", "Delegate=cpu memory pids", "delegate.conf");
  }

  @Test
  void aUserWithoutAManagerIsToldOfServices() throws Exception {
    group("/", "cpu memory pids");
    group(SCOPE, "cpu memory pids");
    assertThat(look(SCOPE).advice()).contains("as a service with Delegate=cpu memory pids");
  }

  @Test
  void aContainerMayHaveGroupsThatNobodyWrites() throws Exception {
    group("/", "cpu memory pids");
    assertThat(look("/").advice()).contains("let the container that this is write");
  }

  @Test
  void versionOneHasAHierarchyForEach() throws Exception {
    Files.createDirectory(mounted.resolve("memory"));
    Finding partly = look("/");
    assertThat(partly.state()).isEqualTo(State.NOTE);
    assertThat(partly.found()).isEqualTo("version 1; this user may limit memory");
    assertThat(partly.advice()).contains("systemd.unified_cgroup_hierarchy=1");
    Files.createDirectory(mounted.resolve("cpu"));
    assertThat(look("/").state()).isEqualTo(State.OK);
  }

  @Test
  void aMachineMayHaveNone() {
    assertThat(look("/").found()).isEqualTo("none");
  }
}
