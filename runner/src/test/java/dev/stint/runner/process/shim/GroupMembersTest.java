package dev.stint.runner.process.shim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The groups are those of the shells that this JVM starts, identified by their leaders. */
class GroupMembersTest {
  /** A shell that leads its own group, as the group of this JVM has other members too. */
  private static final class Group implements AutoCloseable {
    private final Process shell;

    Group() throws IOException {
      shell = new ProcessBuilder("setsid", "sh").start();
      tell("echo it leads");
    }

    int id() {
      return (int) shell.pid();
    }

    /** Runs a command in the shell that prints a line, and waits for that line. */
    void tell(String command) throws IOException {
      shell.outputWriter().append(command).append('\n').flush();
      assertThat(shell.inputReader().readLine()).isNotNull();
    }

    @Override
    public void close() {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly().onExit().join();
    }
  }

  @Test
  void aNewProcessIsAMemberAsLongAsItExists() throws Exception {
    try (GroupMembers members = new GroupMembers();
        Group group = new Group()) {
      members.follow(group.id());
      assertThat(members.update()).isTrue();
      assertThat(members.hasMembers(group.id())).isFalse();
      group.tell("sleep 1000 & echo $!");
      assertThat(members.update()).isTrue();
      assertThat(members.hasMembers(group.id())).isTrue();
      group.tell("kill $!; wait; echo it ended");
      assertThat(members.hasMembers(group.id())).isFalse();
    }
  }

  @Test
  void skippedProcessesAreNotMembers() throws Exception {
    try (GroupMembers members = new GroupMembers();
        Group group = new Group()) {
      members.follow(group.id());
      group.tell("sleep 1000 & echo $!");
      members.skip();
      assertThat(members.update()).isTrue();
      assertThat(members.hasMembers(group.id())).isFalse();
    }
  }

  @Test
  void nobodyKnowsOfAGroupThatIsNotFollowed() throws IOException {
    try (GroupMembers members = new GroupMembers()) {
      members.follow(1);
      members.forget(1);
      assertThat(members.update()).isTrue();
      assertThat(members.hasMembers(1)).isTrue();
    }
  }

  @Test
  void theKernelReportsTheLastStartedProcess() throws Exception {
    try (GroupMembers members = new GroupMembers()) {
      int before = members.lastPid();
      Process process = new ProcessBuilder("true").start();
      process.waitFor();
      assertThat(before).isPositive();
      assertThat((long) members.lastPid()).isGreaterThanOrEqualTo(process.pid());
    }
  }
}
