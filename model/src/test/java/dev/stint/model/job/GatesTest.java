package dev.stint.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The effect of turning gates on and off on new and existing Jobs. */
@Covers({"SP-43", "SP-46", "MB-31", "MB-51", "BI-41", "BI-45", "BI-57"})
class GatesTest {
  private static final String INDEXED = "completionMode: Indexed\n  completions: 10\n  ";

  /** A gate, the field that it guards, and a line that sets the field. */
  static Stream<Arguments> fields() {
    return Stream.of(
        Arguments.of(
            Gate.JobSuccessPolicy,
            "successPolicy",
            INDEXED + "successPolicy: {rules: [{succeededCount: 1}]}"),
        Arguments.of(Gate.JobManagedBy, "managedBy", "managedBy: example.com/other"),
        Arguments.of(
            Gate.JobBackoffLimitPerIndex,
            "backoffLimitPerIndex",
            INDEXED + "backoffLimitPerIndex: 1"),
        Arguments.of(
            Gate.JobBackoffLimitPerIndex,
            "maxFailedIndexes",
            INDEXED + "backoffLimitPerIndex: 1\n  maxFailedIndexes: 2"),
        Arguments.of(
            Gate.JobPodFailurePolicy,
            "podFailurePolicy",
            "podFailurePolicy: {rules: [{action: FailJob,"
                + " onExitCodes: {operator: In, values: [42]}}]}"),
        Arguments.of(
            Gate.JobPodReplacementPolicy, "podReplacementPolicy", "podReplacementPolicy: Failed"));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void aNewJobHasTheFieldOnlyWhereTheGateIsOn(Gate gate, String field, String line) {
    assertThat(created(line, with(gate, true)).get("spec").has(field)).isTrue();
    assertThat(created(line, with(gate, false)).get("spec").has(field)).isFalse();
    assertThat(created(line, with(gate, true)).get("spec").has(field)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("fields")
  void aJobThatHasTheFieldKeepsItThroughEverySwitch(Gate gate, String field, String line) {
    ObjectNode job = created(line, with(gate, true));
    for (boolean on : new boolean[] {false, true, false}) {
      ObjectNode after = job.deepCopy();
      after.withObjectProperty("spec").put("parallelism", on ? 3 : 4);
      assertThat(updated(job, after, with(gate, on))).isEmpty();
      assertThat(after.get("spec").get(field)).isEqualTo(job.get("spec").get(field));
      job = after;
    }
  }

  @ParameterizedTest
  @MethodSource("fields")
  void aJobWithoutTheFieldGetsItOnlyWhereTheGateIsOn(Gate gate, String field, String line) {
    ObjectNode without = created(line, with(gate, false));
    ObjectNode after = without.deepCopy();
    after
        .withObjectProperty("spec")
        .set(field, created(line, with(gate, true)).at("/spec/" + field));
    ObjectNode refused = after.deepCopy();
    assertThat(updated(without, after, with(gate, false))).isEmpty();
    assertThat(after.get("spec").has(field)).isFalse();
    List<String> faults = updated(without, refused, with(gate, true));
    boolean mutable = field.equals("podReplacementPolicy");
    assertThat(faults.isEmpty()).isEqualTo(mutable);
  }

  @Test
  @Covers({"BI-14", "BI-41"})
  void failIndexRulesGoWithTheirGate() {
    String line =
        INDEXED
            + "backoffLimitPerIndex: 1\n  podFailurePolicy: {rules: ["
            + "{action: FailIndex, onExitCodes: {operator: In, values: [1]}},"
            + "{action: Ignore, onExitCodes: {operator: In, values: [2]}}]}";
    FeatureGates off = with(Gate.JobBackoffLimitPerIndex, false);
    assertThat(created(line, off).at("/spec/podFailurePolicy/rules")).hasSize(1);
    ObjectNode stored = created(line, FeatureGates.DEFAULT);
    ObjectNode after = stored.deepCopy();
    assertThat(updated(stored, after, off)).isEmpty();
    assertThat(after.at("/spec/podFailurePolicy/rules")).hasSize(2);
  }

  @Test
  void namesOfRulesNeedTheirGateAndOutliveIt() {
    String line =
        "podFailurePolicy: {rules: [{name: Full, action: FailJob,"
            + " onExitCodes: {operator: In, values: [42]}}]}";
    FeatureGates on = with(Gate.PodFailurePolicyName, true);
    String at = "/spec/podFailurePolicy/rules/0/name";
    assertThat(created(line, FeatureGates.DEFAULT).at(at).isMissingNode()).isTrue();
    ObjectNode stored = created(line, on);
    assertThat(stored.at(at).stringValue()).isEqualTo("Full");
    ObjectNode after = stored.deepCopy();
    assertThat(updated(stored, after, FeatureGates.DEFAULT)).isEmpty();
    assertThat(after.at(at).stringValue()).isEqualTo("Full");
  }

  @Test
  void indexedJobsAreElasticOnlyWhereTheGateIsOn() {
    ObjectNode job = created(INDEXED + "parallelism: 10", FeatureGates.DEFAULT);
    ObjectNode after = job.deepCopy();
    after.withObjectProperty("spec").put("completions", 5).put("parallelism", 5);
    assertThat(updated(job, after.deepCopy(), with(Gate.ElasticIndexedJob, true))).isEmpty();
    assertThat(updated(job, after.deepCopy(), with(Gate.ElasticIndexedJob, false)))
        .containsExactly("spec.completions Invalid");
    assertThat(updated(job, after.deepCopy(), with(Gate.ElasticIndexedJob, true))).isEmpty();
  }

  @Test
  void resourcesOfASuspendedJobChangeOnlyWhereTheGateIsOn() {
    ObjectNode job = created("suspend: true", FeatureGates.DEFAULT);
    ObjectNode after = job.deepCopy();
    ((ObjectNode) after.at("/spec/template/spec/containers/0"))
        .putObject("resources")
        .putObject("requests")
        .put("cpu", "2");
    Gate gate = Gate.MutablePodResourcesForSuspendedJobs;
    assertThat(updated(job, after.deepCopy(), with(gate, true))).isEmpty();
    assertThat(updated(job, after.deepCopy(), with(gate, false)))
        .containsExactly("spec.template.spec Invalid");
    assertThat(updated(job, after.deepCopy(), with(gate, true))).isEmpty();
  }

  @Test
  void schedulingOfAJobSuspendedAfterAStartIsMutableOnlyWithTheGateOn() {
    ObjectNode job =
        JobFixtures.withStatus(
            created("suspend: true", FeatureGates.DEFAULT),
            "startTime: '2026-01-01T00:00:00Z'",
            "conditions: [{type: Suspended, status: 'True'}]");
    ObjectNode after = job.deepCopy();
    ((ObjectNode) after.at("/spec/template/spec")).putObject("nodeSelector").put("a", "b");
    Gate gate = Gate.MutableSchedulingDirectivesForSuspendedJobs;
    assertThat(updated(job, after.deepCopy(), with(gate, true))).isEmpty();
    assertThat(updated(job, after.deepCopy(), with(gate, false)))
        .containsExactly("spec.template Invalid");
    assertThat(updated(job, after.deepCopy(), with(gate, true))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("fields")
  void theStatusOfAJobThatHasTheFieldIsWrittenThroughEverySwitch(
      Gate gate, String field, String line) {
    ObjectNode job = created(line, with(gate, true));
    ObjectNode started =
        JobFixtures.withStatus(job, "startTime: '2026-01-01T00:00:00Z'", "active: 1");
    for (boolean on : new boolean[] {true, false, true}) {
      ObjectNode written = started.deepCopy();
      written.withObjectProperty("spec").remove(field);
      assertThat(statusUpdated(job, written, with(gate, on))).isEmpty();
      assertThat(written.get("spec")).isEqualTo(job.get("spec"));
      ObjectNode refused = JobFixtures.withStatus(job, "active: -1");
      assertThat(statusUpdated(job, refused, with(gate, on))).contains("status.active Invalid");
    }
  }

  @Test
  @Covers({"SP-18", "SP-21"})
  void aPlainJobMeetsItsCriteriaOnlyWhereOneOfTwoGatesIsOn() {
    ObjectNode job =
        JobFixtures.withStatus(
            created("parallelism: 1", FeatureGates.DEFAULT), "startTime: '2026-01-01T00:00:00Z'");
    ObjectNode met =
        JobFixtures.withStatus(
            job,
            "startTime: '2026-01-01T00:00:00Z'",
            "conditions: [{type: SuccessCriteriaMet, status: 'True'}]");
    FeatureGates on = FeatureGates.DEFAULT;
    FeatureGates one = on.with(Gate.JobManagedBy, false);
    FeatureGates none = one.with(Gate.JobPodReplacementPolicy, false);
    assertThat(statusUpdated(job, met.deepCopy(), on)).isEmpty();
    assertThat(statusUpdated(job, met.deepCopy(), one)).isEmpty();
    assertThat(statusUpdated(job, met.deepCopy(), none))
        .containsExactly("status.conditions Invalid");
    assertThat(statusUpdated(met, met.deepCopy(), none)).isEmpty();
    assertThat(statusUpdated(job, met.deepCopy(), on)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Gate.class)
  @Covers("MB-32")
  void aJobWithoutGatedFieldsIsUnaffectedByGates(Gate gate) {
    ObjectNode job = created("parallelism: 1", FeatureGates.DEFAULT);
    ObjectNode running =
        JobFixtures.withStatus(job, "startTime: '2026-01-01T00:00:00Z'", "active: 1");
    for (boolean on : new boolean[] {false, true}) {
      ObjectNode after = job.deepCopy();
      assertThat(updated(job, after, with(gate, on))).isEmpty();
      assertThat(after.get("spec")).isEqualTo(job.get("spec"));
      assertThat(statusUpdated(job, running.deepCopy(), with(gate, on))).isEmpty();
    }
  }

  @Test
  @Covers({"SP-51", "MB-40", "BI-39"})
  void aJobGrowsOnlyByTheFieldsThatItUses() {
    JsonNode plain = created("completionMode: Indexed\n  completions: 2", FeatureGates.DEFAULT);
    assertThat(plain.get("spec").propertyNames())
        .doesNotContain("successPolicy", "managedBy", "backoffLimitPerIndex", "maxFailedIndexes");
    assertThat(plain.get("status")).isEmpty();
  }

  @Test
  @Covers({"TR-02", "TR-04"})
  void theStatusOfANewJobIsEmptyWhateverTheGateForTracking() {
    Gate gate = Gate.JobTrackingWithoutLingeringPods;
    for (boolean on : new boolean[] {true, false, true}) {
      assertThat(created("parallelism: 1", with(gate, on)).get("status")).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Gate.class)
  @Covers({"SP-42", "MB-29", "BI-40"})
  void everyGateHasItsDefaultAndCanBeSwitched(Gate gate) {
    assertThat(FeatureGates.DEFAULT.has(gate)).isEqualTo(gate.isOnByDefault());
    FeatureGates switched = with(gate, !gate.isOnByDefault());
    assertThat(switched.has(gate)).isNotEqualTo(gate.isOnByDefault());
    assertThat(switched.with(gate, gate.isOnByDefault())).isEqualTo(FeatureGates.DEFAULT);
    assertThat(
            Arrays.stream(Gate.values())
                .filter(other -> switched.has(other) != other.isOnByDefault()))
        .containsExactly(gate);
  }

  @Test
  void gatesOfUnfinishedFeaturesAreOffByDefaultAndAllOfJobsAreOn() {
    assertThat(Arrays.stream(Gate.values()).filter(gate -> !gate.isOnByDefault()))
        .containsExactly(
            Gate.ClusterTrustBundleProjection,
            Gate.ContainerStopSignals,
            Gate.CoordinatedLeaderElection,
            Gate.CronJobsNextScheduleTime,
            Gate.GenericWorkload,
            Gate.PodCertificateRequest,
            Gate.PodFailurePolicyName);
  }

  @Test
  void aTemplateHasGatedFieldsOfPodsOnlyWhereTheGateIsOn() {
    for (boolean on : new boolean[] {true, false}) {
      ObjectNode job = JobFixtures.written("parallelism: 1");
      ((ObjectNode) job.at("/spec/template/spec"))
          .putObject("schedulingGroup")
          .put("podGroupName", "g");
      assertThat(JobAdmission.create(job, JobFixtures.UID, with(Gate.GenericWorkload, on)))
          .isEmpty();
      assertThat(job.at("/spec/template/spec").has("schedulingGroup")).isEqualTo(on);
    }
  }

  private static FeatureGates with(Gate gate, boolean on) {
    return FeatureGates.DEFAULT.with(gate, on);
  }

  private static ObjectNode created(String lines, FeatureGates gates) {
    ObjectNode job = JobFixtures.written(lines);
    assertThat(JobFixtures.causes(JobAdmission.create(job, JobFixtures.UID, gates))).isEmpty();
    job.withObjectProperty("metadata").put("resourceVersion", "1");
    return job;
  }

  private static List<String> statusUpdated(
      ObjectNode before, ObjectNode after, FeatureGates gates) {
    return JobFixtures.causes(JobAdmission.updateStatus(before, after, gates));
  }

  private static List<String> updated(ObjectNode before, ObjectNode after, FeatureGates gates) {
    return JobFixtures.causes(JobAdmission.update(before, after, gates));
  }
}
