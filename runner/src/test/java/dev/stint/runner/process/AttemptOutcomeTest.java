package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.runtime.Exit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptOutcomeTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = START.plusSeconds(5);
  private static final int KILLED = 9;

  @TempDir Path pods;

  @Test
  void aReportedCodeIsTheOutcome() throws IOException {
    outcome().record(Exit.startError("not read", NOW));
    assertThat(outcome().ofReport(1)).isEqualTo(Exit.of(1, null, START, NOW));
  }

  @Test
  void theRecordOfACommandThatCouldNotBeRunHasTheReason() throws IOException {
    assertThat(outcome().ofReport(127).message()).isEmpty();
    outcome().record(Exit.startError("it was not found", NOW));
    assertThat(outcome().ofReport(127).message()).isEqualTo("it was not found");
  }

  @Test
  void withoutAReportTheRecordComesFirst() throws IOException {
    outcome().record(Exit.of(4, null, START, NOW));
    assertThat(outcome().withoutReport(Optional.of(new Posix.WaitStatus(KILLED))).code())
        .isEqualTo(4);
  }

  @Test
  void theSignalThatKilledTheShimIsTheOutcomeAndNotRecordedYet() throws IOException {
    int hangup = 1;
    Exit exit = outcome().withoutReport(Optional.of(new Posix.WaitStatus(hangup)));
    assertThat(exit.signal()).isEqualTo(hangup);
    assertThat(dir().exit()).isEmpty();
    outcome().record(exit);
    assertThat(dir().exit().orElseThrow().signal()).isEqualTo(hangup);
  }

  @Test
  void aShimThatEndedForNoKnownReasonCountsAsKilled() throws IOException {
    assertThat(outcome().withoutReport(Optional.empty())).isEqualTo(outcome().ofKill());
  }

  private AttemptOutcome outcome() throws IOException {
    return new AttemptOutcome("an attempt", dir(), START, () -> NOW);
  }

  private AttemptDir dir() throws IOException {
    AttemptDir dir = AttemptDir.of(pods, "uid", "main", 0);
    dir.create();
    return dir;
  }
}
