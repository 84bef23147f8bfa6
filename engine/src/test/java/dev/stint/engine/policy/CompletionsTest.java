package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.options.JobOptions;
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

  /** A Job whose last pods finish together ends by its policy, for which only those count. */
  @Test
  @Covers("SP-40")
  void underASuccessPolicyOrGoalOnlyRecordedIndexesCount() {
    String spec = "{'completionMode':'Indexed','completions':3";
    String policy = ",'successPolicy':{'rules':[{'succeededCount':3}]}";
    assertThat(completesWith(PolicyInputs.of(spec + "}"))).isTrue();
    assertThat(completesWith(PolicyInputs.of(spec + policy + "}"))).isFalse();
    assertThat(
            completesWith(
                PolicyInputs.annotated(spec + "}", JobOptions.SUCCESS_PERCENTAGE, "100%")))
        .isFalse();
    assertThat(
            completesWith(
                PolicyInputs.annotated("{'completions':3}", JobOptions.SUCCESS_COUNT, "3")))
        .isTrue();
  }

  /** True if three successes, two of which are recorded, are enough. */
  private static boolean completesWith(PolicyInput job) {
    PolicyInput recorded = PolicyInputs.indexes(job, IndexSet.of(0, 1), IndexSet.EMPTY);
    return Completions.evaluate(PolicyInputs.pods(recorded, 0, 3, 0, 0)).isPresent();
  }
}
