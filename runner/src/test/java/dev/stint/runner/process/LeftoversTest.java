package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.PodBuilder;
import dev.stint.model.KubeObject;
import dev.stint.runner.file.FileTrees;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.IdleLeftover;
import dev.stint.runner.spec.PodInputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
  void anAttemptThatWasToldToRunInAnotherBootIsLostWithoutARecord() throws IOException {
    attempt();
    assertThat(state("process://another-boot/uid/main/0")).isEqualTo(new Leftovers.State.Lost());
    Files.writeString(attempt().path().resolve("pid"), "");
    assertThat(state("process://another-boot/uid/main/0")).isEqualTo(new Leftovers.State.Lost());
    for (String told : List.of("process://this-boot/uid/main/0", "process://uid/main/0", "x://a")) {
      assertThat(state(told)).isEqualTo(new Leftovers.State.Unfinished("left no outcome"));
    }
  }

  @Test
  void anAttemptThatWasToldToRunInAnotherBootIsFoundWithoutADirectory() throws IOException {
    attempt().write(Exit.of(3, null, NOW, NOW));
    AttemptHistoryOnDisk found =
        new Leftovers(pods, BOOT).history(run("process://another-boot/uid/main/2")).orElseThrow();
    assertThat(found.latest().number()).isEqualTo(2);
    assertThat(found.restartCount()).isEqualTo(1);
    assertThat(found.previous()).isNull();
    FileTrees.delete(pods.resolve("uid"));
    Leftovers none = new Leftovers(pods, BOOT);
    assertThat(none.history(run("process://another-boot/uid/main/2")).orElseThrow().latest())
        .isEqualTo(AttemptDir.of(pods, "uid", "main", 2));
    assertThat(none.history(run("process://this-boot/uid/main/2"))).isEmpty();
    assertThat(none.history(run(null))).isEmpty();
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

  @Test
  void ofAnIdlePodTheContainersWithAnOutcomeAreKnown() throws IOException {
    attempt("ended").write(Exit.of(3, null, NOW, NOW));
    writeShim(attempt("lost"), "another-boot");
    attempt("interrupted").markInterrupted();
    attempt("interrupted").write(Exit.of(143, null, NOW, NOW));
    attempt("killed");
    assertThat(new Leftovers(pods, BOOT).idle())
        .isEqualTo(Map.of("uid", new IdleLeftover(Set.of("ended"), Set.of("lost"))));
  }

  private Leftovers.State state() throws IOException {
    return state(null);
  }

  private Leftovers.State state(@Nullable String told) throws IOException {
    return new Leftovers(pods, BOOT).state(attempt(), run(told));
  }

  /**
   * @param told the container ID that was told to run; null for none
   */
  private static ContainerRun run(@Nullable String told) {
    KubeObject pod = KubeObject.of(PodBuilder.named("a").uid("uid").tree());
    return new ContainerRun(
        pod,
        PodBuilder.newContainer("main"),
        0,
        false,
        PodInputs.NONE,
        false,
        told == null ? null : new ContainerRun.Told(told, 1, null));
  }

  /** Records this process as the shim: it exists, but is none. */
  private void writeShim(String boot) throws IOException {
    writeShim(attempt(), boot);
  }

  private static void writeShim(AttemptDir attempt, String boot) throws IOException {
    Files.writeString(
        attempt.path().resolve("pid"),
        "uid %d %s owner\n".formatted(ProcessHandle.current().pid(), boot));
  }

  private AttemptDir attempt() throws IOException {
    return attempt("main");
  }

  private AttemptDir attempt(String container) throws IOException {
    AttemptDir attempt = AttemptDir.of(pods, "uid", container, 0);
    attempt.create();
    return attempt;
  }
}
