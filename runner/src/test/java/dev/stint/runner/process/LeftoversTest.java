package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.runtime.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String BOOT = "this-boot";

  @TempDir Path pods;

  @Test
  void anAttemptWithAnOutcomeHasEnded() throws IOException {
    attempt().write(Exit.of(3, null, NOW, NOW));
    writeShim("another-boot");
    assertThat(state()).isInstanceOf(Leftovers.State.Ended.class);
  }

  @Test
  void anAttemptOfAnotherBootIsLost() throws IOException {
    attempt();
    writeShim("another-boot");
    assertThat(state()).isEqualTo(new Leftovers.State.Lost());
  }

  @Test
  void anAttemptWhoseShimIsGoneIsUnfinished() throws IOException {
    attempt();
    writeShim(BOOT);
    assertThat(state()).isEqualTo(new Leftovers.State.Unfinished("left no outcome"));
  }

  @Test
  void anInterruptedAttemptIsUnfinishedWhateverItsOutcome() throws IOException {
    attempt().markInterrupted();
    attempt().write(Exit.of(143, null, NOW, NOW));
    assertThat(state()).isEqualTo(new Leftovers.State.Unfinished("was interrupted"));
  }

  @Test
  void aPodIsLeftUntilItIsForgotten() throws IOException {
    attempt();
    Files.createDirectory(pods.resolve(".spare"));
    Leftovers leftovers = new Leftovers(pods, BOOT);
    assertThat(leftovers.uids()).containsExactly("uid");
    assertThat(leftovers.mayRunBesides(Set.of())).isFalse();
    assertThat(leftovers.killAll("uid", Set.of())).isTrue();
    assertThat(leftovers.killAll("uid", Set.of())).isFalse();
    assertThat(leftovers.uids()).isEmpty();
  }

  private Leftovers.State state() throws IOException {
    return new Leftovers(pods, BOOT).state(attempt());
  }

  /** Records this process as the shim: it exists, but is none. */
  private void writeShim(String boot) throws IOException {
    Files.writeString(
        attempt().path().resolve("pid"),
        "uid %d %s owner\n".formatted(ProcessHandle.current().pid(), boot));
  }

  private AttemptDir attempt() throws IOException {
    AttemptDir attempt = AttemptDir.of(pods, "uid", "main", 0);
    attempt.create();
    return attempt;
  }
}
