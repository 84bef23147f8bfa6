package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.index.IndexSet;
import org.junit.jupiter.api.Test;

class FailedIndexesTest {
  private static final PolicyInput JOB =
      PolicyInputs.of("{'completionMode':'Indexed','completions':4,'backoffLimitPerIndex':0}");

  @Test
  @Covers({"BI-25", "BI-64"})
  void aFailedIndexDoesNotFailTheJobWhileOthersAreUnfinished() {
    assertThat(FailedIndexes.evaluate(PolicyInputs.indexes(JOB, IndexSet.of(0, 1), IndexSet.of(2))))
        .isEmpty();
  }

  @Test
  @Covers({"BI-26", "BI-28", "BI-64"})
  void onceEveryIndexHasFinishedOneThatFailedFailsTheJob() {
    assertThat(
            FailedIndexes.evaluate(PolicyInputs.indexes(JOB, IndexSet.of(0, 1, 3), IndexSet.of(2))))
        .hasValueSatisfying(verdict -> assertThat(verdict.reason()).isEqualTo("FailedIndexes"));
  }

  @Test
  void aJobWhoseIndexesAllSucceededDoesNotFail() {
    assertThat(
            FailedIndexes.evaluate(PolicyInputs.indexes(JOB, IndexSet.range(0, 3), IndexSet.EMPTY)))
        .isEmpty();
  }
}
