package dev.stint.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

@Covers("MB-52")
class JobStatusValidationTest {
  private static final String START = "startTime: \"2026-01-01T00:00:00Z\"";
  private static final String END = "completionTime: \"2026-01-01T00:01:00Z\"";
  private static final String CONDITIONS = "status.conditions Invalid";

  @Test
  void aLifeFromStartToCompletionBreaksNoRule() {
    ObjectNode job = JobFixtures.indexedWithStatus();
    String[][] steps = {
      {START, "active: 2", "ready: 0", "terminating: 0"},
      {START, "active: 2", "ready: 2", "succeeded: 3", "completedIndexes: 0-2"},
      {START, "active: 1", "succeeded: 10", "completedIndexes: 0-9", met()},
      {START, END, "ready: 0", "terminating: 0", "succeeded: 10", "completedIndexes: 0-9", done()}
    };
    for (String[] step : steps) {
      ObjectNode next = JobFixtures.withStatus(job, step);
      assertThat(JobUpdates.statusFaults(job, next)).isEmpty();
      job = next;
    }
  }

  @Test
  @Covers({"SP-16", "MB-14"})
  void whatDecidedStays() {
    for (String type : List.of("SuccessCriteriaMet", "FailureTarget")) {
      ObjectNode before = status(START, conditions(type));
      assertThat(change(before, START)).containsExactly(CONDITIONS);
      assertThat(change(before, START, "conditions: [{type: " + type + ", status: \"False\"}]"))
          .containsExactly(CONDITIONS);
      assertThat(change(before, START, conditions(type))).isEmpty();
    }
    ObjectNode complete = status(START, END, done());
    assertThat(change(complete, START, END, met())).contains(CONDITIONS);
    ObjectNode failed = status(START, conditions("FailureTarget", "Failed"));
    assertThat(change(failed, START, conditions("FailureTarget"))).containsExactly(CONDITIONS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"False\"", "Unknown"})
  @Covers("MB-14")
  void aFinishedJobDoesNotBecomeUnfinished(String value) {
    String flipped = "status: " + value + "}]";
    String complete = done().replaceAll("status: \"True\"}]$", flipped);
    assertThat(change(status(START, END, done()), START, END, complete)).contains(CONDITIONS);
    String both = conditions("FailureTarget", "Failed");
    assertThat(change(status(START, both), START, both.replaceAll("status: \"True\"}]$", flipped)))
        .containsExactly(CONDITIONS);
  }

  @Test
  @Covers("SP-17")
  void successIsNotDeclaredAfterCompletion() {
    ObjectNode before = status(START, END, conditions("Complete"));
    assertThat(change(before, START, END, done())).containsExactly(CONDITIONS);
  }

  @Test
  @Covers({"SP-18", "SP-21"})
  void anyJobMayMeetItsCriteriaUnlessTheWiderScopeIsOff() {
    ObjectNode before = JobFixtures.withStatus(JobFixtures.stored(), START);
    ObjectNode after = JobFixtures.withStatus(before, START, met());
    assertThat(JobUpdates.statusFaults(before, after)).isEmpty();
    FeatureGates narrow =
        FeatureGates.DEFAULT
            .with(Gate.JobManagedBy, false)
            .with(Gate.JobPodReplacementPolicy, false);
    assertThat(JobFixtures.causes(JobStatusValidation.update(before, after, narrow)))
        .containsExactly(CONDITIONS);
  }

  @ParameterizedTest
  @CsvSource({
    "Failed, SuccessCriteriaMet",
    "FailureTarget, SuccessCriteriaMet",
    "Failed, Complete",
    "FailureTarget, Complete"
  })
  @Covers({"SP-19", "SP-20", "SP-23", "MB-15"})
  void successAndFailureExcludeEachOther(String one, String other) {
    assertThat(change(status(START), START, END, conditions(one, other))).contains(CONDITIONS);
  }

  @Test
  @Covers({"SP-22", "SP-23", "SP-24", "MB-19"})
  void theInterimConditionComesFirst() {
    assertThat(change(status(START), START, END, conditions("Complete")))
        .containsExactly(CONDITIONS);
    assertThat(change(status(START), START, END, done())).isEmpty();
    assertThat(change(status(START), START, conditions("Failed"))).containsExactly(CONDITIONS);
    assertThat(change(status(START), START, conditions("FailureTarget", "Failed"))).isEmpty();
  }

  @Test
  @Covers({"SP-22", "MB-24"})
  void aSuccessPolicyIsAnnouncedThoughOtherOutcomesAreNot() {
    FeatureGates narrow =
        FeatureGates.DEFAULT
            .with(Gate.JobManagedBy, false)
            .with(Gate.JobPodReplacementPolicy, false);
    ObjectNode plain = status(START);
    assertThat(complete(plain, narrow)).isEmpty();
    ObjectNode withPolicy = status(START);
    withPolicy.withObjectProperty("spec").putObject("successPolicy");
    assertThat(complete(withPolicy, narrow)).containsExactly(CONDITIONS);
    assertThat(complete(withPolicy, narrow.with(Gate.JobSuccessPolicy, false))).isEmpty();
  }

  private static List<String> complete(ObjectNode before, FeatureGates gates) {
    ObjectNode after = JobFixtures.withStatus(before, START, END, conditions("Complete"));
    return JobFixtures.causes(JobStatusValidation.update(before, after, gates));
  }

  @Test
  @Covers({"MB-12", "MB-13"})
  void completionTimeIsForCompleteJobsAndFixed() {
    assertThat(change(status(START), START, END)).containsExactly("status.completionTime Invalid");
    assertThat(change(status(START), START, END, conditions("FailureTarget", "Failed")))
        .containsExactly("status.completionTime Invalid");
    assertThat(change(status(START), START, done()))
        .containsExactly("status.completionTime Required");
    String later = END.replace("00:01", "00:02");
    assertThat(change(status(START, END, done()), START, later, done()))
        .containsExactly("status.completionTime Invalid");
    String earlier = END.replace("2026", "2025");
    assertThat(change(status(START), START, earlier, done()))
        .containsExactly("status.completionTime Invalid");
  }

  @Test
  @Covers("MB-19")
  void startTimeIsFixedUnlessSuspended() {
    String later = START.replace("2026", "2027");
    assertThat(change(status(START), later)).containsExactly("status.startTime Invalid");
    assertThat(change(status(START))).containsExactly("status.startTime Invalid");
    ObjectNode suspended = JobFixtures.withStatus(JobFixtures.stored("suspend: true"), START);
    assertThat(JobUpdates.statusFaults(suspended, JobFixtures.withStatus(suspended))).isEmpty();
    assertThat(change(status(), END, done())).containsExactly("status.startTime Required");
  }

  @Test
  @Covers({"MB-16", "BI-12"})
  void indexSetsAreForIndexedJobsAndFailedOnesForALimitPerIndex() {
    ObjectNode plain = JobFixtures.withStatus(JobFixtures.stored("completions: 10"), START);
    ObjectNode after = JobFixtures.withStatus(plain, START, "completedIndexes: 0-3");
    assertThat(JobUpdates.statusFaults(plain, after))
        .containsExactly("status.completedIndexes Invalid");
    assertThat(change(status(START), START, "failedIndexes: \"0\""))
        .containsExactly("status.failedIndexes Invalid");
    ObjectNode perIndex = perIndex(START);
    assertThat(
            JobUpdates.statusFaults(
                perIndex,
                JobFixtures.withStatus(
                    perIndex, START, "completedIndexes: 1-2", "failedIndexes: 0-1")))
        .containsExactly("status.failedIndexes Invalid");
    assertThat(
            JobUpdates.statusFaults(
                perIndex,
                JobFixtures.withStatus(
                    perIndex, START, "completedIndexes: 1-2", "failedIndexes: \"0\"")))
        .isEmpty();
  }

  @Test
  void indexesBeforeTheFaultOfAnIndexSetCountAsSucceeded() {
    ObjectNode perIndex = perIndex(START);
    assertThat(
            JobUpdates.statusFaults(
                perIndex,
                JobFixtures.withStatus(
                    perIndex, START, "completedIndexes: \"1,\"", "failedIndexes: 0-1")))
        .containsExactly("status.completedIndexes Invalid", "status.failedIndexes Invalid");
  }

  @Test
  void aSuspendedJobWithNothingToDoCompletesWithoutAStart() {
    ObjectNode idle = JobFixtures.stored("suspend: true", "completions: 0");
    assertThat(JobUpdates.statusFaults(idle, JobFixtures.withStatus(idle, END, done()))).isEmpty();
    ObjectNode busy = JobFixtures.stored("suspend: true", "completions: 1");
    assertThat(JobUpdates.statusFaults(busy, JobFixtures.withStatus(busy, END, done())))
        .containsExactly("status.startTime Required");
  }

  @ParameterizedTest
  @ValueSource(strings = {"3-0", "0,0", "a", "0-99"})
  @Covers("MB-17")
  void aNewIndexSetMustBeSoundButAStoredOneMayBeCorrupt(String text) {
    String corrupt = "completedIndexes: \"" + text + "\"";
    assertThat(change(status(START), START, corrupt))
        .containsExactly("status.completedIndexes Invalid");
    assertThat(change(status(START, corrupt), START, corrupt, "active: 1")).isEmpty();
  }

  @Test
  @Covers("MB-18")
  void aFinishedJobHasNoPodsLeft() {
    String failed = conditions("FailureTarget", "Failed");
    assertThat(change(status(START), START, failed, "terminating: 1"))
        .containsExactly("status.terminating Invalid");
    assertThat(change(status(START), START, END, done(), "terminating: 1"))
        .containsExactly("status.terminating Invalid");
    assertThat(change(status(START), START, failed, "active: 1"))
        .containsExactly("status.active Invalid");
    assertThat(change(status(START), START, "active: 1", "ready: 5"))
        .containsExactly("status.ready Invalid");
    assertThat(change(status(START), START, failed, "uncountedTerminatedPods: {failed: [a]}"))
        .containsExactly("status.uncountedTerminatedPods Invalid");
  }

  @Test
  @Covers("TR-02")
  void uncountedPodsAreNamedOnce() {
    assertThat(
            change(status(START), START, "uncountedTerminatedPods: {succeeded: [a], failed: [b]}"))
        .isEmpty();
    assertThat(change(status(START), START, "uncountedTerminatedPods: {succeeded: [a, a]}"))
        .containsExactly("status.uncountedTerminatedPods.succeeded[1] Duplicate");
    assertThat(
            change(status(START), START, "uncountedTerminatedPods: {succeeded: [a], failed: [a]}"))
        .containsExactly("status.uncountedTerminatedPods.failed[0] Duplicate");
    assertThat(change(status(START), START, "uncountedTerminatedPods: {succeeded: [\"\"]}"))
        .containsExactly("status.uncountedTerminatedPods.succeeded[0] Invalid");
  }

  @Test
  @Covers("MB-19")
  void countersAreNotNegativeAndDoNotFall() {
    for (String counter : List.of("active", "ready", "terminating", "succeeded", "failed")) {
      assertThat(change(status(START), START, counter + ": -1"))
          .contains("status." + counter + " Invalid");
    }
    assertThat(change(status(START, "failed: 2"), START, "failed: 1"))
        .containsExactly("status.failed Invalid");
    assertThat(change(status(START, "succeeded: 2"), START, "succeeded: 1"))
        .containsExactly("status.succeeded Invalid");
  }

  private static ObjectNode status(String... lines) {
    return JobFixtures.indexedWithStatus(lines);
  }

  private static ObjectNode perIndex(String... lines) {
    return JobFixtures.withStatus(
        JobFixtures.stored("completionMode: Indexed", "completions: 10", "backoffLimitPerIndex: 1"),
        lines);
  }

  private static List<String> change(ObjectNode before, String... lines) {
    return JobUpdates.statusFaults(before, JobFixtures.withStatus(before, lines));
  }

  private static String met() {
    return conditions("SuccessCriteriaMet");
  }

  private static String done() {
    return conditions("SuccessCriteriaMet", "Complete");
  }

  private static String conditions(String... types) {
    List<String> all = new ArrayList<>();
    for (String type : types) {
      all.add("{type: " + type + ", status: \"True\"}");
    }
    return "conditions: [" + String.join(", ", all) + "]";
  }
}
