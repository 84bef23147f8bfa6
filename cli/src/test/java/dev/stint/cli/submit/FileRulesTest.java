package dev.stint.cli.submit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.jobs.RunAnnotations;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.document.Documents;
import dev.stint.model.job.JobAdmission;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class FileRulesTest {
  private static final Instant NOW = Instant.parse("2026-11-23T10:03:00Z");
  private static final String FAILED = ended("Failed");

  private static String ended(String type) {
    return """
    {"startTime": "2026-11-23T09:00:00Z", "succeeded": 3, "completedIndexes": "0-2",
     "completionTime": "2026-11-23T10:00:00Z",
     "conditions": [{"type": "%s", "status": "True", "lastTransitionTime": "2026-11-23T10:00:00Z"}]}
    """
        .formatted(type);
  }

  private static RequestedJob requested(String spec) {
    String text =
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: x}
        spec:
          completionMode: Indexed
          completions: 4
          %s
          template: {spec: {restartPolicy: Never, containers: [{name: main, image: i}]}}
        """
            .formatted(spec);
    return RequestedJob.of(
        Documents.read("x.yaml", text.getBytes(StandardCharsets.UTF_8)).getFirst());
  }

  private static KubeObject stored(RequestedJob requested, String status, boolean reported) {
    ObjectNode job = requested.toCreate().copy();
    assertThat(JobAdmission.create(job, "u", FeatureGates.DEFAULT)).isEmpty();
    job.withObjectProperty("metadata").put("resourceVersion", "1");
    job.set("status", Json.parse(status));
    if (reported) {
      job.withObjectProperty("metadata")
          .withObjectProperty("annotations")
          .put(RunAnnotations.REPORTED, "true");
    }
    return KubeObject.of(job);
  }

  private static RunDecision decide(String spec, @Nullable KubeObject existing, ExistingJobs mode) {
    return FileRules.decide(requested(spec), existing, mode, FeatureGates.DEFAULT, NOW);
  }

  @Test
  void aNewJobIsCreated() {
    assertThat(decide("", null, ExistingJobs.FRESH)).isEqualTo(new RunDecision.Create());
  }

  @Test
  void anUnfinishedJobOfTheSameDocumentGoesOnAsItIs() {
    ObjectNode job = stored(requested(""), "{}", false).copy();
    job.withObjectProperty("spec").put("parallelism", 3);
    RunDecision decision = decide("", KubeObject.of(job), ExistingJobs.CONTINUE);
    assertThat(decision).isInstanceOf(RunDecision.Resume.class);
    assertThat(decision.words()).as("stint set has changed it").isEmpty();
  }

  @Test
  void aSuspendedJobIsResumed() {
    ObjectNode job = stored(requested(""), "{}", false).copy();
    job.withObjectProperty("spec").put("suspend", true);
    assertThat(decide("", KubeObject.of(job), ExistingJobs.CONTINUE).words())
        .contains("no longer suspended");
  }

  @Test
  void fieldsThatMayChangeAreChanged() {
    KubeObject job = stored(requested("parallelism: 2"), "{}", false);
    assertThat(
            decide(
                    "{parallelism: 8, activeDeadlineSeconds: 60}"
                        .replaceAll("[{}]", "")
                        .replace(", ", "\n  "),
                    job,
                    ExistingJobs.CONTINUE)
                .words())
        .contains("activeDeadlineSeconds none → 60, parallelism 2 → 8");
  }

  @Test
  void theFeatureGatesOfTheCommandHold() {
    FeatureGates gates = FeatureGates.DEFAULT.with(FeatureGates.Gate.ContainerStopSignals, true);
    RequestedJob two = stoppedByUsr1(2);
    ObjectNode job = two.toCreate().copy();
    assertThat(JobAdmission.create(job, "u", gates)).isEmpty();
    job.withObjectProperty("metadata").put("resourceVersion", "1");
    RequestedJob three = stoppedByUsr1(3);
    assertThat(
            FileRules.decide(three, KubeObject.of(job), ExistingJobs.CONTINUE, gates, NOW).words())
        .contains("parallelism 2 → 3");
  }

  private static RequestedJob stoppedByUsr1(int parallelism) {
    ObjectNode tree = requested("parallelism: " + parallelism).tree();
    ObjectNode pod = (ObjectNode) tree.at("/spec/template/spec");
    pod.putObject("os").put("name", "linux");
    ((ObjectNode) pod.at("/containers/0")).putObject("lifecycle").put("stopSignal", "SIGUSR1");
    return RequestedJob.of(Documents.read("x.yaml", Json.bytes(tree)).getFirst());
  }

  @Test
  void fieldsThatMayNotChangeAreRefusedByNameUnlessTheJobIsReplaced() {
    KubeObject job = stored(requested(""), "{\"succeeded\": 1}", false);
    assertThat(decide("backoffLimitPerIndex: 1", job, ExistingJobs.CONTINUE))
        .isInstanceOfSatisfying(
            RunDecision.Refuse.class,
            refusal ->
                assertThat(refusal.why())
                    .startsWith(
                        "x.yaml:7: spec.backoffLimitPerIndex: field is immutable once the Job exists")
                    .contains("Job \"x\" is unfinished", "--replace")
                    .doesNotContain("\n"));
    assertThat(decide("backoffLimitPerIndex: 1", job, ExistingJobs.REPLACE).words())
        .contains("starts anew (--replace); the last one was unfinished, with 1 of 4 succeeded");
  }

  @Test
  void theOutcomeThatNobodyToldIsTold() {
    KubeObject job = stored(requested(""), FAILED, false);
    assertThat(decide("", job, ExistingJobs.CONTINUE)).isEqualTo(new RunDecision.Report(job));
    assertThat(decide("", job, ExistingJobs.FRESH)).isInstanceOf(RunDecision.StartAnew.class);
  }

  /** Else it would be the result of the former inputs. */
  @Test
  void anOutcomeOfOtherInputsIsNotReported() {
    KubeObject complete = stored(requested("").withInputs("before"), ended("Complete"), false);
    assertThat(decided(requested("").withInputs("before"), complete))
        .isEqualTo(new RunDecision.Report(complete));
    assertThat(decided(requested("").withInputs("after"), complete).words())
        .contains(
            "starts anew, because ConfigMaps or Secrets of its files have changed; the last one"
                + " completed 3m ago, with 3 of 4 succeeded");
    KubeObject unknown = stored(requested(""), ended("Complete"), false);
    assertThat(decided(requested("").withInputs("after"), unknown))
        .isInstanceOf(RunDecision.Report.class);
  }

  @Test
  void aJobThatGoesOnWithOtherInputsSaysSo() {
    KubeObject half = stored(requested("").withInputs("before"), "{\"succeeded\": 1}", false);
    assertThat(decided(requested("").withInputs("after"), half))
        .isInstanceOf(RunDecision.Resume.class)
        .satisfies(resume ->
            assertThat(resume.words())
                .contains(
                    "ConfigMaps or Secrets of its files have changed, and only pods that start"
                        + " now get them; --fresh runs all anew"));
    assertThat(decided(requested("").withInputs("before"), half).words()).isEmpty();
  }

  private static RunDecision decided(RequestedJob requested, KubeObject existing) {
    return FileRules.decide(requested, existing, ExistingJobs.CONTINUE, FeatureGates.DEFAULT, NOW);
  }

  @Test
  void aFinishedJobIsReplacedAndNamed() {
    KubeObject failed = stored(requested(""), FAILED, true);
    assertThat(decide("", failed, ExistingJobs.CONTINUE).words())
        .contains(
            "starts anew; the last one failed 3m ago, with 3 of 4 succeeded; stint rerun x --failed"
                + " would have kept these 3 successes");
    KubeObject complete = stored(requested(""), ended("Complete"), true);
    assertThat(decide("", complete, ExistingJobs.CONTINUE).words())
        .contains("starts anew; the last one completed 3m ago, with 3 of 4 succeeded");
  }
}
