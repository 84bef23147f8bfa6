package dev.stint.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class JobUpdateValidationTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "parallelism: 7",
        "backoffLimit: 9",
        "activeDeadlineSeconds: 5",
        "ttlSecondsAfterFinished: 5",
        "suspend: true"
      })
  void whatSteersARunningJobMayChange(String line) {
    assertThat(
            JobUpdates.faults(
                JobFixtures.stored("completions: 5"), JobFixtures.stored("completions: 5", line)))
        .isEmpty();
  }

  @Test
  void anEmptyMapInTheTemplateIsNoChange() {
    ObjectNode before = JobFixtures.stored("completions: 5");
    ObjectNode after = before.deepCopy();
    after.withObject("/spec/template/spec").putObject("overhead");
    assertThat(JobUpdates.faults(before, after)).isEmpty();
    after.withObject("/spec/template/spec/resources").putArray("claims");
    assertThat(JobUpdates.faults(before, after))
        .contains("spec.template.spec.resources.claims Forbidden");
  }

  @Test
  void anAdmittedJobIsTheOneToStore() {
    ObjectNode job = JobFixtures.written("completions: 5");
    job.withObject("/spec/template/spec").putObject("overhead");
    assertThat(JobAdmission.create(job, JobFixtures.UID, FeatureGates.DEFAULT)).isEmpty();
    assertThat(job.at("/spec/template/spec").has("overhead")).isFalse();
    ObjectNode after = job.deepCopy();
    after.withObject("/spec/template/spec").putObject("overhead");
    after.withObject("/metadata").put("resourceVersion", "1");
    assertThat(JobAdmission.update(job, after, FeatureGates.DEFAULT)).isEmpty();
    assertThat(after.get("spec")).isEqualTo(job.get("spec"));
    assertThat(after.at("/metadata/generation").asInt()).isEqualTo(1);
  }

  @Test
  void completionModeIsFixed() {
    assertThat(
            JobUpdates.faults(
                JobFixtures.stored("completions: 2"),
                JobFixtures.stored("completions: 2", "completionMode: Indexed")))
        .containsExactly("spec.completionMode Invalid");
  }

  @ParameterizedTest
  @CsvSource({"4, 4, true", "0, 0, true", "4, 2, false", "2, 4, false"})
  void completionsOfAnIndexedJobFollowParallelism(
      int completions, int parallelism, boolean allowed) {
    List<String> faults = JobUpdates.faults(elastic(2, 2), elastic(completions, parallelism));
    assertThat(faults.stream().noneMatch(fault -> fault.startsWith("spec.completions")))
        .isEqualTo(allowed || completions == 2);
  }

  @Test
  void completionsMayFollowParallelismForTheFirstTime() {
    assertThat(JobUpdates.faults(elastic(2, 1), elastic(3, 3))).isEmpty();
  }

  @Test
  void completionsOfOtherJobsAreFixed() {
    assertThat(
            JobUpdates.faults(
                JobFixtures.stored("completions: 2", "parallelism: 2"),
                JobFixtures.stored("completions: 3", "parallelism: 3")))
        .containsExactly("spec.completions Invalid");
  }

  @Test
  void theTemplateOfARunningJobIsFixed() {
    ObjectNode after = JobFixtures.stored();
    podSpec(after).putObject("nodeSelector").put("a", "b");
    assertThat(JobUpdates.faults(JobFixtures.stored(), after))
        .containsExactly("spec.template Invalid");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"nodeSelector\": {\"a\": \"b\"}}",
        "{\"tolerations\": [{\"operator\": \"Exists\"}]}",
        "{\"schedulingGates\": [{\"name\": \"x.io/y\"}]}",
        "{\"affinity\": {\"nodeAffinity\": {}}}"
      })
  void whereTheyGoMayChangeWhileSuspended(String changes) {
    ObjectNode after = JobFixtures.stored("suspend: true");
    podSpec(after).setAll(Json.parse(changes));
    assertThat(JobUpdates.faults(JobFixtures.stored("suspend: true"), after)).isEmpty();
  }

  @Test
  void resourcesMayChangeWhileSuspended() {
    ObjectNode after = JobFixtures.stored("suspend: true");
    ((ObjectNode) podSpec(after).at("/containers/0"))
        .set("resources", Json.parse("{\"requests\":{\"cpu\":\"1\"}}"));
    assertThat(JobUpdates.faults(JobFixtures.stored("suspend: true"), after)).isEmpty();
  }

  @Test
  void imagesAndCommandsAreFixedEvenWhileSuspended() {
    ObjectNode after = JobFixtures.stored("suspend: true");
    ((ObjectNode) podSpec(after).at("/containers/0")).put("image", "other");
    assertThat(JobUpdates.faults(JobFixtures.stored("suspend: true"), after))
        .containsExactly("spec.template.spec Invalid");
    ObjectNode affinity = JobFixtures.stored("suspend: true");
    podSpec(affinity).putObject("affinity").putObject("podAffinity");
    assertThat(JobUpdates.faults(JobFixtures.stored("suspend: true"), affinity))
        .containsExactly("spec.template.spec Invalid");
  }

  @Test
  void aJobThatHasStartedIsNotSuspendedEnough() {
    ObjectNode before =
        JobFixtures.withStatus(
            JobFixtures.stored("suspend: true"), "startTime: \"2026-01-01T00:00:00Z\"");
    ObjectNode after = before.deepCopy();
    podSpec(after).putObject("nodeSelector").put("a", "b");
    assertThat(JobUpdates.faults(before, after)).containsExactly("spec.template Invalid");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"active: 1", "{active: 1, conditions: [{type: Suspended, status: \"True\"}]}"})
  void podsThatStillEndRanWithTheTemplateAsItIs(String status) {
    ObjectNode before = JobFixtures.withStatus(JobFixtures.stored("suspend: true"), status);
    ObjectNode after = before.deepCopy();
    podSpec(after).putObject("nodeSelector").put("a", "b");
    assertThat(JobUpdates.faults(before, after)).containsExactly("spec.template Invalid");
  }

  @Test
  void anUpdateLeavesTheStatusAndCountsGenerations() {
    ObjectNode before = JobFixtures.withStatus(JobFixtures.stored(), "active: 1");
    before.withObjectProperty("metadata").put("resourceVersion", "1");
    ObjectNode after = JobFixtures.withStatus(before, "active: 9");
    assertThat(JobAdmission.update(before, after, FeatureGates.DEFAULT)).isEmpty();
    assertThat(after.get("status")).isEqualTo(before.get("status"));
    assertThat(after.at("/metadata/generation").intValue()).isEqualTo(1);
    ((ObjectNode) after.get("spec")).put("parallelism", 4);
    assertThat(JobAdmission.update(before, after, FeatureGates.DEFAULT)).isEmpty();
    assertThat(after.at("/metadata/generation").intValue()).isEqualTo(2);
  }

  @Test
  void nameAndUidAreFixed() {
    ObjectNode after = JobFixtures.stored();
    after.withObjectProperty("metadata").put("uid", "other");
    assertThat(JobUpdates.faults(JobFixtures.stored(), after)).contains("metadata.uid Invalid");
  }

  private static ObjectNode elastic(int completions, int parallelism) {
    return JobFixtures.stored(
        "completionMode: Indexed", "completions: " + completions, "parallelism: " + parallelism);
  }

  private static ObjectNode podSpec(ObjectNode job) {
    return (ObjectNode) job.at("/spec/template/spec");
  }
}
