package dev.stint.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class JobDefaultsTest {
  @Test
  void aPlainJobGetsEverythingThatItLeavesOut() {
    ObjectNode job = JobFixtures.stored();
    String labels =
        """
        {"batch.kubernetes.io/controller-uid": "%1$s", "controller-uid": "%1$s",
         "batch.kubernetes.io/job-name": "pi", "job-name": "pi"}
        """
            .formatted(JobFixtures.UID);
    assertThat(job.get("spec"))
        .isEqualTo(
            Json.parse(
                """
                {"template": {"metadata": {"labels": %s}, "spec": {
                   "restartPolicy": "Never",
                   "containers": [{"name": "main", "image": "busybox", "imagePullPolicy": "Always",
                     "resources": {}, "terminationMessagePath": "/dev/termination-log",
                     "terminationMessagePolicy": "File"}],
                   "dnsPolicy": "ClusterFirst", "schedulerName": "default-scheduler",
                   "securityContext": {}, "terminationGracePeriodSeconds": 30}},
                 "selector": {"matchLabels": {"batch.kubernetes.io/controller-uid": "%s"}},
                 "completions": 1, "parallelism": 1, "backoffLimit": 6,
                 "completionMode": "NonIndexed", "suspend": false, "manualSelector": false,
                 "podReplacementPolicy": "TerminatingOrFailed"}
                """
                    .formatted(labels, JobFixtures.UID)));
    assertThat(job.at("/metadata/labels")).isEqualTo(Json.parse(labels));
    // The same in each JVM, so that simulated worlds are.
    assertThat(job.at("/metadata/labels").propertyNames())
        .containsExactlyElementsOf(Json.parse(labels).propertyNames());
    assertThat(job.get("status")).isEqualTo(Json.object());
  }

  @ParameterizedTest
  @CsvSource({"parallelism: 3,,3", "completions: 3,3,1", "'suspend: true',1,1"})
  void aWorkQueueHasNoCompletions(String line, Integer completions, int parallelism) {
    JsonNode spec = JobFixtures.stored(line).get("spec");
    assertThat(Json.integer(spec, "completions")).isEqualTo(completions);
    assertThat(Json.integer(spec, "parallelism")).isEqualTo(parallelism);
  }

  @Test
  @Covers("BI-10")
  void theBackoffLimitIsOutOfTheWayOfALimitPerIndex() {
    JsonNode spec =
        JobFixtures.stored("completionMode: Indexed", "completions: 2", "backoffLimitPerIndex: 1")
            .get("spec");
    assertThat(Json.integer(spec, "backoffLimit")).isEqualTo(Integer.MAX_VALUE);
    assertThat(Json.integer(JobFixtures.stored().get("spec"), "backoffLimit")).isEqualTo(6);
  }

  @Test
  @Covers("BI-11")
  void bothLimitsMayBeSet() {
    JsonNode spec =
        JobFixtures.stored(
                "completionMode: Indexed",
                "completions: 2",
                "backoffLimitPerIndex: 1",
                "backoffLimit: 3")
            .get("spec");
    assertThat(Json.integer(spec, "backoffLimit")).isEqualTo(3);
  }

  @Test
  void aPodFailurePolicyMakesReplacementWait() {
    JsonNode spec =
        JobFixtures.stored(
                "podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: X}]}]}")
            .get("spec");
    assertThat(Json.text(spec, "podReplacementPolicy")).isEqualTo("Failed");
    assertThat(spec.at("/podFailurePolicy/rules/0/onPodConditions/0/status").stringValue())
        .isEqualTo("True");
  }

  @Test
  void withTheGateOffReplacementIsNeitherKeptNorFilledInUnlessItWasStored() {
    FeatureGates off = FeatureGates.DEFAULT.with(Gate.JobPodReplacementPolicy, false);
    ObjectNode job = JobFixtures.written("podReplacementPolicy: Failed");
    assertThat(JobAdmission.create(job, JobFixtures.UID, off)).isEmpty();
    assertThat(job.get("spec").has("podReplacementPolicy")).isFalse();
    ObjectNode stored = JobFixtures.stored("podReplacementPolicy: Failed");
    stored.withObjectProperty("metadata").put("resourceVersion", "1");
    ObjectNode changed = stored.deepCopy();
    assertThat(JobAdmission.update(stored, changed, off)).isEmpty();
    assertThat(changed.at("/spec/podReplacementPolicy").stringValue()).isEqualTo("Failed");
  }

  @Test
  void aManualSelectorIsLeftAlone() {
    ObjectNode job =
        JobFixtures.written("manualSelector: true", "selector: {matchLabels: {app: x}}");
    ((ObjectNode) job.at("/spec/template/metadata")).putObject("labels").put("app", "x");
    assertThat(JobAdmission.create(job, JobFixtures.UID, FeatureGates.DEFAULT)).isEmpty();
    assertThat(job.at("/spec/selector")).isEqualTo(Json.parse("{\"matchLabels\":{\"app\":\"x\"}}"));
    assertThat(job.at("/spec/template/metadata/labels")).isEqualTo(Json.parse("{\"app\":\"x\"}"));
    assertThat(job.at("/metadata/labels")).isEqualTo(Json.parse("{\"app\":\"x\"}"));
  }

  @Test
  void aForeignSelectorOrLabelIsReportedAndNotOverwritten() {
    ObjectNode job = JobFixtures.written("selector: {matchLabels: {app: x}}");
    ((ObjectNode) job.at("/spec/template/metadata")).putObject("labels").put("job-name", "nope");
    assertThat(JobFixtures.causes(JobAdmission.create(job, JobFixtures.UID, FeatureGates.DEFAULT)))
        .containsExactly(
            "spec.selector Invalid",
            "spec.template.metadata.labels Invalid",
            "spec.template.metadata.labels[job-name] Invalid");
  }

  @Test
  void applyingTwiceChangesNothing() {
    ObjectNode once = JobFixtures.stored("completions: 3");
    ObjectNode twice = once.deepCopy();
    JobDefaults.apply(twice);
    assertThat(twice).isEqualTo(once);
  }

  @Test
  @Covers("TR-04")
  void aNewJobHasAnEmptyStatusWhateverItsUserWrote() {
    ObjectNode job = JobFixtures.withStatus(JobFixtures.written(), "active: 5");
    assertThat(JobAdmission.create(job, JobFixtures.UID, FeatureGates.DEFAULT)).isEmpty();
    assertThat(job.get("status")).isEqualTo(Json.object());
  }
}
