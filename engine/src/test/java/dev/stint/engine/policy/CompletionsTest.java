package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import org.junit.jupiter.api.Test;

class CompletionsTest {
  @Test
  @Covers({"SP-01", "SP-25"})
  void asManySuccessesAsCompletionsAreWanted() {
    PolicyInput job = PolicyInputs.of("{'completions':3}");
    assertThat(Completions.evaluate(PolicyInputs.pods(job, 1, 2, 0, 0))).isEmpty();
    assertThat(Completions.evaluate(PolicyInputs.pods(job, 0, 3, 0, 0)))
        .hasValueSatisfying(
            verdict -> assertThat(verdict.reason()).isEqualTo("CompletionsReached"));
  }

  @Test
  void aWorkQueueWaitsForThePodsThatStillRun() {
    PolicyInput job = PolicyInputs.of("{'parallelism':3}");
    assertThat(Completions.evaluate(PolicyInputs.pods(job, 2, 1, 0, 0))).isEmpty();
    assertThat(Completions.evaluate(PolicyInputs.pods(job, 0, 0, 1, 0))).isEmpty();
    assertThat(Completions.evaluate(PolicyInputs.pods(job, 0, 1, 2, 0))).isPresent();
  }
}
