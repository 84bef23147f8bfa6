package dev.stint.runner.process.shim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.process.command.Posix;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * Groups are those of the shells that this JVM starts: each is told apart by what its leader is.
 */
class GroupMembersTest {

  @Test
  void aProcessThatWasBegunSinceIsAMemberForAsLongAsItIsThere() throws Exception {
    try (GroupMembers members = new GroupMembers()) {
      int own = Posix.groupOf((int) ProcessHandle.current().pid());
      members.follow(own);
      assertThat(members.look()).isTrue();
      assertThat(members.anyIn(own)).isFalse();
      Process cat = new ProcessBuilder("cat").start();
      assertThat(members.look()).isTrue();
      assertThat(members.anyIn(own)).isTrue();
      cat.getOutputStream().close();
      cat.waitFor();
      assertThat(members.anyIn(own)).isFalse();
    }
  }

  @Test
  void whatWasSkippedIsAMemberOfNone() throws Exception {
    try (GroupMembers members = new GroupMembers()) {
      int own = Posix.groupOf((int) ProcessHandle.current().pid());
      members.follow(own);
      Process cat = new ProcessBuilder("cat").start();
      members.skip();
      assertThat(members.look()).isTrue();
      assertThat(members.anyIn(own)).isFalse();
      cat.destroyForcibly().waitFor();
    }
  }

  @Test
  void nobodyKnowsOfAGroupThatIsNotFollowed() throws IOException {
    try (GroupMembers members = new GroupMembers()) {
      members.follow(1);
      members.forget(1);
      assertThat(members.look()).isTrue();
      assertThat(members.anyIn(1)).isTrue();
    }
  }

  @Test
  void theMachineTellsWhichProcessWasBegunLast() throws Exception {
    try (GroupMembers members = new GroupMembers()) {
      int before = members.lastPid();
      Process process = new ProcessBuilder("true").start();
      process.waitFor();
      assertThat(before).isPositive();
      assertThat((long) members.lastPid()).isGreaterThanOrEqualTo(process.pid());
    }
  }
}
