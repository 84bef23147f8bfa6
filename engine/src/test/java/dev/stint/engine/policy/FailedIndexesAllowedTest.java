package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.options.JobOptions;
import org.junit.jupiter.api.Test;

class FailedIndexesAllowedTest {
  private static PolicyInput job(int most, IndexSet completed, IndexSet failed) {
    return PolicyInputs.indexes(
        PolicyInputs.annotated(
            "{'completionMode':'Indexed','completions':10,'backoffLimitPerIndex':0,"
                + "'maxFailedIndexes':"
                + most
                + "}",
            JobOptions.COMPLETE_WITH_FAILED_INDEXES,
            "true"),
        completed,
        failed);
  }

  private static Verdict verdict(PolicyInput input) {
    return Verdict.of(JobStatus.EMPTY, input);
  }

  @Test
  @Covers("EX-28")
  void aJobIsCompleteWithAsManyFailedIndexesAsItAllows() {
    assertThat(verdict(job(2, IndexSet.range(2, 9), IndexSet.of(0, 1))))
        .isEqualTo(
            new Verdict.Interim(
                "SuccessCriteriaMet",
                "FailedIndexesAllowed",
                "Job has failed indexes: 0, 1; maxFailedIndexes allows 2"));
  }

  @Test
  @Covers("EX-28")
  void allOfItsIndexesRunBefore() {
    assertThat(verdict(job(2, IndexSet.range(2, 8), IndexSet.of(0, 1))))
        .isEqualTo(new Verdict.Undecided());
  }

  @Test
  @Covers("EX-28")
  void oneMoreFailsItAndTheMessageListsAFew() {
    assertThat(verdict(job(6, IndexSet.EMPTY, IndexSet.range(0, 6))))
        .isEqualTo(
            new Verdict.Interim(
                "FailureTarget",
                "FailedIndexes",
                "Job has failed indexes: 0, 1, 2, 3, 4 and 2 more; maxFailedIndexes allows 6"));
  }

  @Test
  void withoutFailedIndexesItCompletesAsEver() {
    assertThat(verdict(job(2, IndexSet.range(0, 9), IndexSet.EMPTY)))
        .isInstanceOfSatisfying(
            Verdict.Interim.class,
            interim -> assertThat(interim.reason()).isEqualTo("CompletionsReached"));
  }

  @Test
  void withoutTheGateOfLimitsPerIndexThereAreNone() {
    FeatureGates off = FeatureGates.DEFAULT.with(Gate.JobBackoffLimitPerIndex, false);
    PolicyInput input = job(2, IndexSet.range(2, 9), IndexSet.of(0, 1));
    assertThat(FailedIndexesAllowed.evaluate(PolicyInputs.gates(input, off))).isEmpty();
  }
}
