package dev.stint.runner.proc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessTableTest {
  @Test
  void aNameMayContainAnything() {
    String fields = "S 3 4 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 12345 99 7";
    assertThat(ProcessTable.Entry.parse("12 (a) R 1 2) " + fields))
        .contains(new ProcessTable.Entry(12, 3, 4, 12345));
  }

  @Test
  void aProcessThatHasEndedIsNoEntry() {
    assertThat(ProcessTable.Entry.parse("12 (a) Z 3 4 5 6")).isEmpty();
    assertThat(ProcessTable.Entry.parse("")).isEmpty();
  }

  @Test
  void aLeaderStartedItsDescendantsAndTheMembersOfItsGroup() {
    ProcessTable table =
        new ProcessTable(
            List.of(
                new ProcessTable.Entry(10, 1, 10, 7),
                new ProcessTable.Entry(11, 10, 10, 7),
                new ProcessTable.Entry(12, 11, 12, 7),
                new ProcessTable.Entry(13, 1, 10, 7),
                new ProcessTable.Entry(20, 1, 20, 7)));
    assertThat(table.startedBy(10)).containsExactly(11, 12, 13);
    assertThat(table.startedBy(20)).isEmpty();
  }

  @Test
  void childrenThatStartedComeBeforeThoseThatWereAdopted() {
    ProcessTable table =
        new ProcessTable(
            List.of(
                new ProcessTable.Entry(11, 10, 11, 2),
                new ProcessTable.Entry(13, 10, 10, 1),
                new ProcessTable.Entry(12, 10, 10, 1),
                new ProcessTable.Entry(14, 13, 10, 3)));
    assertThat(table.childrenByAge(10)).as("numbers repeat").containsExactly(12, 13, 11);
    assertThat(table.childrenByAge(13)).containsExactly(14);
    assertThat(table.childrenByAge(14)).isEmpty();
  }

  @Test
  void theMachinesTableHasThisProcess() {
    assertThat(ProcessTable.read().startedBy(1))
        .contains(Math.toIntExact(ProcessHandle.current().pid()));
  }

  @Test
  void aProcessHasItsStartUntilItEnds() throws Exception {
    Process process = new ProcessBuilder("sleep", "1000").start();
    int pid = Math.toIntExact(process.pid());
    assertThat(ProcessTable.startTime(pid)).isEqualTo(ProcessTable.startTime(pid)).isPresent();
    assertThat(ProcessTable.hasEnded(pid)).isFalse();
    process.destroyForcibly().waitFor();
    assertThat(ProcessTable.startTime(pid)).isEmpty();
    assertThat(ProcessTable.hasEnded(pid)).isTrue();
  }
}
