package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.index.IndexSet;
import org.junit.jupiter.api.Test;

class MaxFailedIndexesTest {
  private static final PolicyInput JOB =
      PolicyInputs.of(
          "{'completionMode':'Indexed','completions':9,'backoffLimitPerIndex':0,'maxFailedIndexes':2}");

  private static PolicyInput failed(int... indexes) {
    return PolicyInputs.indexes(JOB, IndexSet.EMPTY, IndexSet.of(indexes));
  }

  @Test
  @Covers({"BI-27", "BI-29"})
  void oneMoreThanAllowedFailsTheJob() {
    assertThat(MaxFailedIndexes.evaluate(failed(0, 4, 8)))
        .hasValueSatisfying(verdict -> {
          assertThat(verdict.type()).isEqualTo("FailureTarget");
          assertThat(verdict.reason()).isEqualTo("MaxFailedIndexesExceeded");
        });
  }

  @Test
  @Covers("BI-27")
  void failuresUpToTheLimitDoNot() {
    assertThat(MaxFailedIndexes.evaluate(failed(0, 4))).isEmpty();
  }

  @Test
  void withoutALimitNoNumberFailsTheJob() {
    PolicyInput unlimited =
        PolicyInputs.of("{'completionMode':'Indexed','completions':9,'backoffLimitPerIndex':0}");
    assertThat(
            MaxFailedIndexes.evaluate(
                PolicyInputs.indexes(unlimited, IndexSet.EMPTY, IndexSet.range(0, 8))))
        .isEmpty();
  }

  @Test
  @Covers("BI-42")
  void withTheGateOffTheLimitIsIgnored() {
    FeatureGates off = FeatureGates.DEFAULT.with(Gate.JobBackoffLimitPerIndex, false);
    assertThat(MaxFailedIndexes.evaluate(PolicyInputs.gates(failed(0, 4, 8), off))).isEmpty();
  }
}
