package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.runner.proc.ProcStatus;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.runtime.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptHistoryOnDiskTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path pods;

  @Test
  void onlyAttemptsThatEndedAndWereNotInterruptedCountAsRestarts() throws IOException {
    ended(0, 1);
    attempt(1);
    attempt(2).markInterrupted();
    Files.writeString(attempt(2).path().resolve("exit"), "uid 143\n");
    ended(3, 2);
    for (int number = 4; number < 10; number++) {
      attempt(number);
    }
    attempt(10);
    AttemptHistoryOnDisk history =
        AttemptHistoryOnDisk.read(pods.resolve("uid/main")).orElseThrow();
    assertThat(history.latest().number()).isEqualTo(10);
    assertThat(history.restartCount()).isEqualTo(2);
    assertThat(Objects.requireNonNull(history.previous()).code()).isEqualTo(2);
  }

  @Test
  void aContainerThatNeverRanHasNone() throws IOException {
    assertThat(AttemptHistoryOnDisk.read(pods.resolve("uid/main"))).isEmpty();
  }

  @Test
  void outcomesAreReadBackAsTheyWereWritten() throws IOException {
    attempt(0).write(Exit.startError("cannot run \"a b\": why\nnot", NOW));
    attempt(1).write(Exit.of(137, 9, NOW, NOW));
    attempt(2).write(Exit.of(0, null, NOW, NOW));
    Exit startError = attempt(0).exit().orElseThrow();
    assertThat(startError.reason()).isEqualTo("StartError");
    assertThat(startError.code()).isEqualTo(128);
    assertThat(startError.message()).isEqualTo("cannot run \"a b\": why not");
    assertThat(attempt(1).exit().orElseThrow().signal()).isEqualTo(9);
    assertThat(attempt(2).exit().orElseThrow().reason()).isEqualTo("Completed");
  }

  @Test
  void anIncompleteLineIsIgnored() throws IOException {
    Files.writeString(attempt(0).path().resolve("exit"), "uid 1");
    Files.writeString(attempt(0).path().resolve("pid"), "uid 12 boo");
    assertThat(attempt(0).exit()).isEmpty();
    assertThat(attempt(0).identity()).isEmpty();
  }

  @Test
  void linesOfAnotherPodAreIgnored() throws IOException {
    Files.writeString(attempt(0).path().resolve("exit"), "another 1 StartError long ago\n");
    Files.writeString(attempt(0).path().resolve("pid"), "another 12 boot owner\n");
    assertThat(attempt(0).exit()).isEmpty();
    assertThat(attempt(0).isUnderWay()).isFalse();
    attempt(0).write(Exit.of(0, null, NOW, NOW));
    assertThat(attempt(0).exit().orElseThrow().reason()).isEqualTo("Completed");
  }

  @Test
  void anAttemptThatEndedByItselfIsNotInterrupted() throws IOException {
    ended(0, 0);
    attempt(0).markInterrupted();
    assertThat(attempt(0).isInterrupted()).isFalse();
  }

  @Test
  void aStrangerWithTheSameProcessIdIsNotTakenForTheAttempt() throws IOException {
    int stranger = Math.toIntExact(ProcessHandle.current().pid());
    assertThat(new AttemptDir.Identity(stranger, "boot", "owner", 0).isThere()).isFalse();
  }

  @Test
  void aProcessOfAnotherUserIsNotAskedWhetherItIsTheShim() throws Exception {
    long own = ProcStatus.own().realUser();
    assumeTrue(own == 0, "NOT TESTED: takes root");
    assertThat(isThere("65534", own)).isFalse();
    assertThat(isThere("65534", 65534)).isTrue();
    assertThat(isThere("0", 65534)).isTrue();
  }

  /** Asks for a process of a user that looks as a shim, which another one has recorded. */
  private static boolean isThere(String user, long recordedBy) throws Exception {
    String names = "grep -q stint-shim /proc/$$/cmdline && echo ready; read _";
    Process process =
        new ProcessBuilder(
                "setpriv",
                "--reuid=" + user,
                "--clear-groups",
                "sh",
                "-c",
                names,
                AttemptDir.SHIM_NAME,
                "owner")
            .start();
    try {
      assertThat(process.inputReader().readLine()).isEqualTo("ready");
      int pid = Math.toIntExact(process.pid());
      return new AttemptDir.Identity(pid, "boot", "owner", recordedBy).isThere();
    } finally {
      process.destroyForcibly();
    }
  }

  private void ended(int number, int code) throws IOException {
    attempt(number).write(Exit.of(code, null, NOW, NOW));
  }

  private AttemptDir attempt(int number) throws IOException {
    AttemptDir attempt = AttemptDir.of(pods, "uid", "main", number);
    attempt.create();
    return attempt;
  }
}
