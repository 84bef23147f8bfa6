package dev.stint.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.output.ExitCode;
import dev.stint.harness.JobBuilder;
import dev.stint.model.KubeObject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class JobOutcomeTest {
  private static final Path LOGS = Path.of("/data/logs/default/suite");

  private static List<String> lines(JobOutcome outcome, String flags, boolean repeatable) {
    return Stream.concat(
            outcome.verdictLines().stream(),
            outcome.nextLines(LOGS.toString(), flags, repeatable).stream())
        .toList();
  }

  @Test
  void isAbsentWhileAJobRuns() {
    assertThat(JobOutcome.of(job("SuccessCriteriaMet", "SuccessPolicy", "", ""))).isEmpty();
  }

  @Test
  void reportsACompleteJobAndItsLogs() {
    JobOutcome outcome = outcome(job("Complete", "CompletionsReached", "", ""));
    assertThat(lines(outcome, " -n ci", true))
        .containsExactly(
            "suite: Complete in 1m30s, 8 of 10 succeeded", "  logs: /data/logs/default/suite");
    assertThat(outcome.exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void reportsThatASuccessPolicyEndedTheJob() {
    assertThat(lines(outcome(job("Complete", "SuccessPolicy", "", "")), " -n ci", true))
        .startsWith("suite: Complete in 1m30s, by its success policy; 8 of 10 succeeded");
  }

  @Test
  void reportsWhyAJobFailedAndTheNextStep() {
    JobOutcome outcome =
        outcome(job("Failed", "FailedIndexes", "Job has failed indexes", "'failedIndexes':'3,7'"));
    assertThat(lines(outcome, " -n ci", true))
        .containsExactly(
            "suite: Failed in 1m30s, indexes failed for good; 8 of 10 succeeded",
            "  because: Job has failed indexes",
            "  failed indexes: 3,7",
            "  logs: /data/logs/default/suite",
            "  next: read the logs; then run the failed indexes again: stint rerun suite --failed -n ci");
    assertThat(outcome.exitCode()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void theSameCommandGoesOnWithAList() {
    ObjectNode tree = job("Failed", "FailedIndexes", "", "'failedIndexes':'3,7'").copy();
    tree.withObjectProperty("metadata")
        .withObjectProperty("annotations")
        .put("stint.dev/each-sha256", "x");
    assertThat(lines(outcome(KubeObject.of(tree)), "", true))
        .endsWith(
            "  next: read the logs; the same command runs only the lines that have not succeeded");
  }

  @Test
  void aCommandThatWouldMakeAnotherJobIsNotRecommended() {
    assertThat(lines(outcome(job("Failed", "BackoffLimitExceeded", "", "")), "", false))
        .endsWith("  next: read the logs");
    assertThat(
            lines(
                outcome(job("Failed", "FailedIndexes", "", "'failedIndexes':'1'")),
                " -n ci",
                false))
        .endsWith(
            "  next: read the logs; then run the failed indexes again: stint rerun suite --failed"
                + " -n ci");
  }

  @ParameterizedTest
  @CsvSource({
    "BackoffLimitExceeded, more pods failed than its backoffLimit allows",
    "DeadlineExceeded, it took longer than its activeDeadlineSeconds",
    "PodFailurePolicy, a rule of its podFailurePolicy ended it",
    "PodFailurePolicy_Full, rule Full of its podFailurePolicy ended it",
    "MaxFailedIndexesExceeded, more indexes failed than its maxFailedIndexes allows",
    "SomethingElse, reason SomethingElse",
    "'', no reason was given"
  })
  void describesEveryReason(String reason, String words) {
    assertThat(lines(outcome(job("Failed", reason, "", "")), " -n ci", true).getFirst())
        .contains(words);
  }

  @Test
  void aDeadlineThatCancelledAJobIsNotCalledOne() {
    ObjectNode tree = job("Failed", "DeadlineExceeded", "active too long", "").copy();
    tree.withObjectProperty("spec").put("activeDeadlineSeconds", 1);
    tree.withObjectProperty("metadata")
        .withObjectProperty("annotations")
        .put("stint.dev/cancelled", "cancelled by stint run");
    assertThat(lines(outcome(KubeObject.of(tree)), "", true))
        .startsWith(
            "suite: Failed in 1m30s, reason Cancelled; 8 of 10 succeeded",
            "  because: cancelled by stint run (which set its activeDeadlineSeconds to 1)");
  }

  @Test
  void shortensALongListOfIndexesBetweenTwoOfThem() {
    StringBuilder indexes = new StringBuilder("1");
    for (int i = 3; i < 200; i += 2) {
      indexes.append(',').append(i);
    }
    String failed = "'failedIndexes':'" + indexes + "'";
    assertThat(lines(outcome(job("Failed", "FailedIndexes", "", failed)), " -n ci", true).get(1))
        .startsWith("  failed indexes: 1,3,5")
        .endsWith(",…")
        .hasSizeLessThan(90);
  }

  @Test
  void letsOneFailedJobOutweighAllOthers() {
    JobOutcome complete = outcome(job("Complete", "", "", ""));
    JobOutcome failed = outcome(job("Failed", "", "", ""));
    assertThat(JobOutcome.exitCode(List.of(complete, failed, complete))).isEqualTo(ExitCode.FAILED);
    assertThat(JobOutcome.exitCode(List.of(complete))).isEqualTo(ExitCode.OK);
  }

  @Test
  void reportsHowToResumeAfterAnEarlyEnd() {
    assertThat(JobOutcome.interrupted("suite", "the same command"))
        .isEqualTo("suite: interrupted; its pods are stopped, and the same command resumes it");
    assertThat(JobOutcome.timedOut("suite", Duration.ofSeconds(90), "stint up"))
        .isEqualTo(
            "suite: not finished within 1m30s; its pods are stopped, and stint up resumes it");
  }

  private static JobOutcome outcome(KubeObject job) {
    return JobOutcome.of(job).orElseThrow();
  }

  private static KubeObject job(String condition, String reason, String message, String more) {
    return JobBuilder.indexed("suite")
        .completions(10)
        .status("'startTime':'2026-01-31T12:00:00Z','succeeded':8")
        .status(more)
        .condition(condition, reason, message, Instant.parse("2026-01-31T12:01:30Z"))
        .build();
  }
}
