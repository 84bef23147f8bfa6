package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.job.PodFailurePolicy.Action;
import org.junit.jupiter.api.Test;

class FailJobTest {
  private static final PolicyInput NONE = PolicyInputs.of("{}");

  private static PolicyInput matched(FeatureGates gates) {
    return new PolicyInput(
        NONE.spec(),
        NONE.options(),
        gates,
        0,
        0,
        1,
        0,
        NONE.completedIndexes(),
        NONE.failedIndexes(),
        new PodFailureRules.RuleMatch(Action.FailJob, "DiskFull", "Pod default/p failed"),
        NONE.startTime(),
        NONE.now());
  }

  @Test
  void oneMatchingPodFailsTheJobWithItsMessage() {
    assertThat(FailJob.evaluate(NONE)).isEmpty();
    assertThat(FailJob.evaluate(matched(FeatureGates.DEFAULT)))
        .contains(new Verdict.Interim("FailureTarget", "PodFailurePolicy", "Pod default/p failed"));
  }

  @Test
  void theReasonNamesTheRuleWhereTheGateIsOn() {
    FeatureGates on = FeatureGates.DEFAULT.with(Gate.PodFailurePolicyName, true);
    assertThat(FailJob.evaluate(matched(on)))
        .contains(
            new Verdict.Interim(
                "FailureTarget", "PodFailurePolicy_DiskFull", "Pod default/p failed"));
    assertThat(FailJob.isReason("PodFailurePolicy_DiskFull")).isTrue();
    assertThat(FailJob.isReason("PodFailurePolicy")).isTrue();
    assertThat(FailJob.isReason("BackoffLimitExceeded")).isFalse();
  }
}
