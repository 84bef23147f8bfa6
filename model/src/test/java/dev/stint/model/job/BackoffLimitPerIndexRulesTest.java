package dev.stint.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class BackoffLimitPerIndexRulesTest {
  @Test
  @Covers("BI-01")
  void itIsZeroOrMore() {
    assertThat(indexed(10, "backoffLimitPerIndex: 0")).isEmpty();
    assertThat(indexed(10, "backoffLimitPerIndex: -1"))
        .containsExactly("spec.backoffLimitPerIndex Invalid");
  }

  @Test
  @Covers("BI-02")
  void itIsForIndexedJobs() {
    assertThat(JobFixtures.faults("backoffLimitPerIndex: 1"))
        .containsExactly("spec.backoffLimitPerIndex Invalid");
  }

  @Test
  @Covers("BI-03")
  void restartPolicyOnFailureIsAcceptedAsKubernetesDoes() {
    ObjectNode job =
        JobFixtures.written("completionMode: Indexed", "completions: 2", "backoffLimitPerIndex: 1");
    ((ObjectNode) job.at("/spec/template/spec")).put("restartPolicy", "OnFailure");
    assertThat(JobAdmission.create(job, JobFixtures.UID, FeatureGates.DEFAULT)).isEmpty();
  }

  @Test
  @Covers("BI-04")
  void itCanNeitherBeAddedNorEditedNorRemoved() {
    ObjectNode one = stored("backoffLimitPerIndex: 1");
    ObjectNode two = stored("backoffLimitPerIndex: 2");
    ObjectNode none = stored("backoffLimit: 6");
    assertThat(JobUpdates.faults(one, two)).containsExactly("spec.backoffLimitPerIndex Invalid");
    assertThat(JobUpdates.faults(one, none)).containsExactly("spec.backoffLimitPerIndex Invalid");
    assertThat(JobUpdates.faults(none, one)).containsExactly("spec.backoffLimitPerIndex Invalid");
  }

  @Test
  @Covers("BI-05")
  void maxFailedIndexesNeedsItAndMayChange() {
    assertThat(indexed(10, "maxFailedIndexes: 1"))
        .containsExactly("spec.backoffLimitPerIndex Required");
    assertThat(indexed(10, "backoffLimitPerIndex: 1", "maxFailedIndexes: -1"))
        .containsExactly("spec.maxFailedIndexes Invalid");
    assertThat(
            JobUpdates.faults(
                stored("backoffLimitPerIndex: 1", "maxFailedIndexes: 1"),
                stored("backoffLimitPerIndex: 1", "maxFailedIndexes: 2")))
        .isEmpty();
  }

  @Test
  @Covers("BI-06")
  void maxFailedIndexesIsAtMostCompletions() {
    assertThat(indexed(10, "backoffLimitPerIndex: 1", "maxFailedIndexes: 10")).isEmpty();
    assertThat(indexed(10, "backoffLimitPerIndex: 1", "maxFailedIndexes: 11"))
        .containsExactly("spec.maxFailedIndexes Invalid");
  }

  @Test
  @Covers({"BI-07", "BI-09"})
  void upToAHundredThousandCompletionsTheOtherNumbersAreAsLarge() {
    String[] most = {"backoffLimitPerIndex: 1", "maxFailedIndexes: 100000", "parallelism: 100000"};
    assertThat(indexed(100_000, most)).isEmpty();
    assertThat(
            indexed(
                100_000,
                "backoffLimitPerIndex: 1",
                "maxFailedIndexes: 100001",
                "parallelism: 100001"))
        .containsExactly("spec.maxFailedIndexes Invalid", "spec.parallelism Invalid");
    assertThat(indexed(100_000, "parallelism: 100001")).containsExactly("spec.parallelism Invalid");
  }

  @Test
  @Covers("BI-09")
  void withoutALimitPerIndexMoreCompletionsWithMuchParallelismAreAccepted() {
    assertThat(indexed(Integer.MAX_VALUE, "parallelism: 100000")).isEmpty();
    assertThat(indexed(Integer.MAX_VALUE, "parallelism: 100001"))
        .containsExactly("spec.parallelism Invalid");
  }

  @Test
  @Covers({"BI-08", "BI-57"})
  void beyondThatTheyAreTenThousandAtMost() {
    assertThat(
            indexed(
                Integer.MAX_VALUE,
                "backoffLimitPerIndex: 1",
                "maxFailedIndexes: 10000",
                "parallelism: 10000"))
        .isEmpty();
    assertThat(indexed(100_001, "backoffLimitPerIndex: 1"))
        .containsExactly("spec.maxFailedIndexes Required");
    assertThat(
            indexed(
                100_001,
                "backoffLimitPerIndex: 1",
                "maxFailedIndexes: 10001",
                "parallelism: 10001"))
        .containsExactly("spec.maxFailedIndexes Invalid", "spec.parallelism Invalid");
  }

  @Test
  @Covers("BI-41")
  void withTheGateOffItsFieldsAndRulesAreDroppedFromNewJobs() {
    FeatureGates off = FeatureGates.DEFAULT.with(Gate.JobBackoffLimitPerIndex, false);
    String[] lines = {
      "completionMode: Indexed",
      "completions: 10",
      "backoffLimitPerIndex: 1",
      "maxFailedIndexes: 5",
      "podFailurePolicy: {rules: [{action: FailIndex, onExitCodes: {operator: In, values: [1]}},"
          + " {action: FailJob, onExitCodes: {operator: In, values: [2]}}]}"
    };
    ObjectNode job = JobFixtures.written(lines);
    assertThat(JobAdmission.create(job, JobFixtures.UID, off)).isEmpty();
    assertThat(job.get("spec").has("backoffLimitPerIndex")).isFalse();
    assertThat(job.get("spec").has("maxFailedIndexes")).isFalse();
    assertThat(job.at("/spec/podFailurePolicy/rules")).hasSize(1);
    assertThat(job.at("/spec/backoffLimit").intValue()).isEqualTo(6);
    ObjectNode stored = JobFixtures.stored(lines);
    stored.withObjectProperty("metadata").put("resourceVersion", "1");
    ObjectNode changed = stored.deepCopy();
    assertThat(JobAdmission.update(stored, changed, off)).isEmpty();
    assertThat(changed.get("spec")).isEqualTo(stored.get("spec"));
  }

  private static ObjectNode stored(String... lines) {
    String[] all = new String[lines.length + 2];
    all[0] = "completionMode: Indexed";
    all[1] = "completions: 10";
    System.arraycopy(lines, 0, all, 2, lines.length);
    return JobFixtures.stored(all);
  }

  private static List<String> indexed(int completions, String... lines) {
    String[] all = new String[lines.length + 2];
    all[0] = "completionMode: Indexed";
    all[1] = "completions: " + completions;
    System.arraycopy(lines, 0, all, 2, lines.length);
    return JobFixtures.faults(all);
  }
}
