package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.options.JobOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LingeringTest {
  private static final PolicyInput JOB =
      PolicyInputs.annotated(
          "{'completionMode':'Indexed','completions':3,"
              + "'successPolicy':{'rules':[{'succeededCount':1}]}}",
          JobOptions.LINGER,
          "Continue");

  /** Without the gate of success policies, a success has no reason. */
  @ParameterizedTest
  @CsvSource({
    "SuccessCriteriaMet, SuccessPolicy, true",
    "SuccessCriteriaMet, EnoughSamples, true",
    "SuccessCriteriaMet, CompletionsReached, false",
    "SuccessCriteriaMet, FailedIndexesAllowed, false",
    "SuccessCriteriaMet, '', false",
    "FailureTarget, BackoffLimitExceeded, false"
  })
  @Covers("EX-02")
  void podsGoOnAfterASuccessByPolicyOnly(String type, String reason, boolean goOn) {
    Verdict.Interim verdict = new Verdict.Interim(type, reason, "");
    assertThat(Lingering.applies(verdict, JobStatus.EMPTY, JOB)).isEqualTo(goOn);
  }
}
