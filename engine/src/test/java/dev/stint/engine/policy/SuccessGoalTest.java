package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.options.JobOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuccessGoalTest {
  private static final String INDEXED = "{'completionMode':'Indexed','completions':10}";

  private static PolicyInput succeeded(int indexes, PolicyInput job) {
    IndexSet done = indexes == 0 ? IndexSet.EMPTY : IndexSet.range(0, indexes - 1);
    return PolicyInputs.indexes(job, done, IndexSet.EMPTY);
  }

  private static PolicyInput share(String percentage) {
    return PolicyInputs.annotated(INDEXED, JobOptions.SUCCESS_PERCENTAGE, percentage);
  }

  @ParameterizedTest
  @CsvSource({"50%, 5", "50, 5", "41%, 5", "1%, 1", "100%, 10"})
  @Covers("EX-07")
  void aPercentageOfTheCompletionsIsRoundedUp(String percentage, int needed) {
    assertThat(SuccessGoal.evaluate(succeeded(needed - 1, share(percentage)))).isEmpty();
    assertThat(SuccessGoal.evaluate(succeeded(needed, share(percentage))))
        .hasValueSatisfying(verdict -> {
          assertThat(verdict.isSuccess()).isTrue();
          assertThat(verdict.reason()).isEqualTo("SuccessPolicy");
          assertThat(verdict.message()).startsWith("Reached stint.dev/success-percentage, which");
        });
  }

  @ParameterizedTest
  @CsvSource({"'{}', 2", "'{\"completions\":9}', 2"})
  @Covers("EX-12")
  void aNumberOfPodsIsEnoughWithoutIndexes(String spec, int needed) {
    PolicyInput job = PolicyInputs.annotated(spec, JobOptions.SUCCESS_COUNT, "" + needed);
    assertThat(SuccessGoal.evaluate(PolicyInputs.pods(job, 3, needed - 1, 0, 0))).isEmpty();
    assertThat(SuccessGoal.evaluate(PolicyInputs.pods(job, 3, needed, 0, 0)))
        .hasValueSatisfying(verdict ->
            assertThat(verdict.message()).isEqualTo("Reached stint.dev/success-count, which is 2"));
  }

  @Test
  @Covers({"EX-07", "EX-12"})
  void aPercentageHoldsWithoutIndexesToo() {
    PolicyInput job =
        PolicyInputs.annotated("{'completions':3}", JobOptions.SUCCESS_PERCENTAGE, "50%");
    assertThat(SuccessGoal.evaluate(PolicyInputs.pods(job, 1, 1, 0, 0))).isEmpty();
    assertThat(SuccessGoal.evaluate(PolicyInputs.pods(job, 1, 2, 0, 0))).isPresent();
  }

  @Test
  void theGateOfSuccessPoliciesSwitchesGoalsOff() {
    FeatureGates off = FeatureGates.DEFAULT.with(Gate.JobSuccessPolicy, false);
    assertThat(SuccessGoal.evaluate(PolicyInputs.gates(succeeded(10, share("1%")), off))).isEmpty();
  }

  @Test
  void failuresWinOverAGoal() {
    PolicyInput job = succeeded(5, share("50%"));
    PolicyInput failed = PolicyInputs.pods(job, 0, 5, 7, 0);
    assertThat(reason(failed)).isEqualTo("BackoffLimitExceeded");
    assertThat(reason(job)).isEqualTo("SuccessPolicy");
  }

  @Test
  void whatEndsTogetherEndsByTheGoal() {
    assertThat(reason(succeeded(10, share("50%")))).isEqualTo("SuccessPolicy");
    assertThat(reason(PolicyInputs.pods(share("50%"), 0, 10, 0, 0))).isEqualTo("none");
  }

  private static String reason(PolicyInput input) {
    return Verdict.of(JobStatus.EMPTY, input) instanceof Verdict.Interim interim
        ? interim.reason()
        : "none";
  }

  private static final String RULES =
      "{'completionMode':'Indexed','completions':10,'successPolicy':{'rules':["
          + "{'succeededIndexes':'0'},{'succeededCount':5}]}}";

  @ParameterizedTest
  @CsvSource({
    "LeaderSucceeded, 0, LeaderSucceeded",
    "LeaderSucceeded, 1-5, SuccessPolicy",
    "'LeaderSucceeded, WorkersSucceeded', 0, LeaderSucceeded",
    "'LeaderSucceeded, WorkersSucceeded', 1-5, WorkersSucceeded"
  })
  @Covers("EX-05")
  void aRuleHasTheReasonAtItsPlace(String reasons, String indexes, String reason) throws Exception {
    PolicyInput job = PolicyInputs.annotated(RULES, JobOptions.SUCCESS_REASON, reasons);
    assertThat(reason(PolicyInputs.indexes(job, IndexSet.parse(indexes), IndexSet.EMPTY)))
        .isEqualTo(reason);
  }

  @Test
  @Covers({"EX-05", "EX-06"})
  void theGoalIsTheRuleAfterTheOthers() throws Exception {
    PolicyInput job =
        PolicyInputs.annotated(
            RULES,
            JobOptions.SUCCESS_REASON,
            "First, Second, JobSuccessPolicyAsEnoughSucceeded",
            JobOptions.SUCCESS_PERCENTAGE,
            "40%");
    assertThat(reason(PolicyInputs.indexes(job, IndexSet.parse("1-4"), IndexSet.EMPTY)))
        .isEqualTo("JobSuccessPolicyAsEnoughSucceeded");
  }

  @ParameterizedTest
  @CsvSource({
    "'', ''",
    "CompletionsReached, CompletionsReached",
    "FailedIndexesAllowed, FailedIndexesAllowed",
    "SuccessPolicy, SuccessPolicy",
    "LeaderSucceeded, SuccessPolicy"
  })
  void metricsCountTheReasonsOfJobsAsOne(String reason, String counted) {
    assertThat(Verdict.countedReason(reason)).isEqualTo(counted);
  }
}
