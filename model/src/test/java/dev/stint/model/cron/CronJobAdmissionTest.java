package dev.stint.model.cron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.document.Document;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class CronJobAdmissionTest {
  private static final String TEMPLATE =
      """
        jobTemplate:
          spec:
            template:
              spec:
                restartPolicy: Never
                containers: [{name: main, image: busybox}]
      """;

  @Test
  void omittedFieldsGetTheirDefaults() {
    ObjectNode spec = (ObjectNode) stored("schedule: '@hourly'").get("spec");
    assertThat(Json.text(spec, "concurrencyPolicy")).isEqualTo("Allow");
    assertThat(Json.bool(spec, "suspend")).isFalse();
    assertThat(Json.integer(spec, "successfulJobsHistoryLimit")).isEqualTo(3);
    assertThat(Json.integer(spec, "failedJobsHistoryLimit")).isEqualTo(1);
    assertThat(spec.at("/jobTemplate/spec/template/spec/dnsPolicy").stringValue())
        .isEqualTo("ClusterFirst");
  }

  @Test
  @Covers("SP-01")
  void theJobTemplateIsLeftAsItIs() {
    ObjectNode spec = (ObjectNode) stored("schedule: '@hourly'").at("/spec/jobTemplate/spec");
    assertThat(spec.propertyNames()).containsExactly("template");
  }

  @Test
  void anEmptyMapIsNoChange() {
    ObjectNode before = stored("schedule: '@hourly'");
    ObjectNode after = before.deepCopy();
    after.withObject("/metadata").put("resourceVersion", "1");
    after.withObject("/spec/jobTemplate/spec/template/spec").putObject("overhead");
    assertThat(CronJobAdmission.update(before, after, FeatureGates.DEFAULT)).isEmpty();
    assertThat(after.at("/metadata/generation").asInt()).isEqualTo(1);
  }

  @Test
  void fillingInTwiceIsFillingInOnce() {
    ObjectNode once = stored("schedule: '@hourly'");
    ObjectNode twice = once.deepCopy();
    CronJobDefaults.apply(twice);
    assertThat(twice).isEqualTo(once);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "schedule: ''                          | spec.schedule Required",
        "schedule: '* * * *'                   | spec.schedule Invalid",
        "schedule: '@never'                    | spec.schedule Invalid",
        "schedule: 'TZ=UTC * * * * *'          | spec.schedule Invalid",
        "schedule: 'CRON_TZ=UTC * * * * *'     | spec.schedule Invalid",
        "timeZone: ''                          | spec.timeZone Invalid",
        "timeZone: Local                       | spec.timeZone Invalid",
        "timeZone: UTC+3                       | spec.timeZone Invalid",
        "timeZone: Europe/Nowhere              | spec.timeZone Invalid",
        "timeZone: europe/berlin               | spec.timeZone Invalid",
        "concurrencyPolicy: allow              | spec.concurrencyPolicy NotSupported",
        "startingDeadlineSeconds: -1           | spec.startingDeadlineSeconds Invalid",
        "successfulJobsHistoryLimit: -1        | spec.successfulJobsHistoryLimit Invalid",
        "failedJobsHistoryLimit: -1            | spec.failedJobsHistoryLimit Invalid",
      })
  void whatIsWrongIsSaidAtItsPath(String line, String fault) {
    assertThat(faults(line.startsWith("schedule") ? line : "schedule: '@daily'\n  " + line))
        .containsExactly(fault.strip());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "timeZone: Europe/Berlin",
        "timeZone: Etc/UTC",
        "timeZone: EST5EDT",
        "concurrencyPolicy: Forbid",
        "concurrencyPolicy: Replace",
        "startingDeadlineSeconds: 0",
        "successfulJobsHistoryLimit: 0",
        "suspend: true"
      })
  void whatIsSoundIsTaken(String line) {
    assertThat(faults("schedule: '@daily'\n  " + line)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "backoffLimit: -1                          | spec.jobTemplate.spec.backoffLimit Invalid",
        "manualSelector: true            | spec.jobTemplate.spec.manualSelector NotSupported",
        "'selector: {matchLabels: {a: b}}'         | spec.jobTemplate.spec.selector Invalid",
        "managedBy: x                              | spec.jobTemplate.spec.managedBy Invalid",
        "'successPolicy: {rules: []}'    | spec.jobTemplate.spec.successPolicy Invalid",
      })
  void theTemplatesFaultsHaveTheirPaths(String line, String fault) {
    assertThat(faults("schedule: '@daily'", "      " + line.strip()))
        .containsExactly(fault.strip());
  }

  @Test
  void podsThatRestartForEverAreRefused() {
    ObjectNode cronJob = written("x", "schedule: '@daily'", "");
    ((ObjectNode) cronJob.at("/spec/jobTemplate/spec/template/spec"))
        .put("restartPolicy", "Always");
    assertThat(causes(CronJobAdmission.create(cronJob, FeatureGates.DEFAULT)))
        .containsExactly("spec.jobTemplate.spec.template.spec.restartPolicy Required");
  }

  @Test
  void aNameLeavesRoomForThoseOfItsJobs() {
    assertThat(causes(create("n".repeat(52)))).isEmpty();
    assertThat(causes(create("n".repeat(53)))).containsExactly("metadata.name Invalid");
  }

  @Test
  void allButTheStatusMayChangeAndGenerationsCount() {
    ObjectNode before = stored("schedule: '@hourly'");
    before.withObjectProperty("status").put("lastScheduleTime", "2026-01-01T00:00:00Z");
    ObjectNode after = stored("schedule: '@daily'");
    assertThat(causes(update(before, after))).isEmpty();
    assertThat(after.get("status")).isEqualTo(before.get("status"));
    assertThat(after.at("/metadata/generation").intValue()).isEqualTo(2);
    ObjectNode same = before.deepCopy();
    assertThat(causes(update(before, same))).isEmpty();
    assertThat(same.at("/metadata/generation").intValue()).isEqualTo(1);
  }

  @Test
  void aScheduleThatAlreadyNamesAZoneMayKeepIt() {
    ObjectNode before = stored("schedule: '@hourly'");
    spec(before).put("schedule", "TZ=UTC 0 * * * *");
    ObjectNode after = before.deepCopy();
    spec(after).put("schedule", "TZ=UTC 1 * * * *");
    assertThat(causes(update(before, after))).isEmpty();
    spec(after).put("timeZone", "UTC");
    assertThat(causes(update(before, after))).containsExactly("spec.schedule Invalid");
  }

  @Test
  void aZoneThatIsNoLongerKnownMayStay() {
    ObjectNode before = stored("schedule: '@hourly'");
    spec(before).put("timeZone", "Once/Known");
    ObjectNode after = before.deepCopy();
    spec(after).put("suspend", true);
    assertThat(causes(update(before, after))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "JobManagedBy | managedBy | managedBy: example.com/a",
        "JobSuccessPolicy | successPolicy | {completionMode: Indexed, completions: 3,"
            + " successPolicy: {rules: [{succeededCount: 1}]}}",
        "JobBackoffLimitPerIndex | backoffLimitPerIndex | {completionMode: Indexed, completions: 3,"
            + " backoffLimitPerIndex: 1}",
        "JobPodFailurePolicy | podFailurePolicy | podFailurePolicy: {rules: [{action: FailJob,"
            + " onExitCodes: {operator: In, values: [42]}}]}",
        "JobPodReplacementPolicy | podReplacementPolicy | podReplacementPolicy: Failed"
      })
  @Covers({"SP-43", "MB-31"})
  void gatedFieldsOfTheTemplateGoOffAndOnAsThoseOfAJob(Gate gate, String field, String members) {
    FeatureGates on = FeatureGates.DEFAULT;
    FeatureGates off = on.with(gate, false);
    assertThat(jobSpec(made(members, on)).has(field)).isTrue();
    assertThat(jobSpec(made(members, off)).has(field)).isFalse();
    ObjectNode before = made(members, on);
    for (FeatureGates gates : List.of(off, on, off)) {
      ObjectNode after = before.deepCopy();
      spec(after).put("suspend", gates.equals(off));
      assertThat(CronJobAdmission.update(before, after, gates)).isEmpty();
      assertThat(jobSpec(after).get(field)).isEqualTo(jobSpec(before).get(field));
      before = after;
    }
    ObjectNode without = made(members, off);
    ObjectNode with = made(members, on);
    assertThat(CronJobAdmission.update(without, with, off)).isEmpty();
    assertThat(jobSpec(with).has(field)).isFalse();
    ObjectNode again = made(members, on);
    assertThat(CronJobAdmission.update(without, again, on)).isEmpty();
    assertThat(jobSpec(again).has(field)).isTrue();
  }

  /** A stored CronJob whose Job template has these members too. */
  private static ObjectNode made(String members, FeatureGates gates) {
    ObjectNode cronJob = written("x", "schedule: '@daily'", "");
    String flow = members.startsWith("{") ? members : "{" + members + "}";
    byte[] job =
        ("apiVersion: batch/v1\nkind: Job\nspec: " + flow).getBytes(StandardCharsets.UTF_8);
    Documents.read("test", job).getFirst().object().copy().get("spec").properties().stream()
        .filter(member -> !member.getKey().equals("template"))
        .forEach(member -> jobSpec(cronJob).set(member.getKey(), member.getValue()));
    assertThat(CronJobAdmission.create(cronJob, gates)).isEmpty();
    cronJob.withObjectProperty("metadata").put("resourceVersion", "1");
    return cronJob;
  }

  private static ObjectNode jobSpec(ObjectNode cronJob) {
    return (ObjectNode) cronJob.at("/spec/jobTemplate/spec");
  }

  private static List<FieldError> create(String name) {
    return CronJobAdmission.create(written(name, "schedule: '@daily'", ""), FeatureGates.DEFAULT);
  }

  private static List<FieldError> update(ObjectNode before, ObjectNode after) {
    before.withObjectProperty("metadata").put("resourceVersion", "1");
    after.withObjectProperty("metadata").put("resourceVersion", "1");
    return CronJobAdmission.update(before, after, FeatureGates.DEFAULT);
  }

  private static ObjectNode spec(ObjectNode cronJob) {
    return cronJob.withObjectProperty("spec");
  }

  private static ObjectNode stored(String line) {
    ObjectNode cronJob = written("x", line, "");
    assertThat(CronJobAdmission.create(cronJob, FeatureGates.DEFAULT)).isEmpty();
    return cronJob;
  }

  private static List<String> faults(String line) {
    return faults(line, "");
  }

  private static List<String> faults(String line, String templateLine) {
    return causes(CronJobAdmission.create(written("x", line, templateLine), FeatureGates.DEFAULT));
  }

  private static List<String> causes(List<FieldError> faults) {
    return faults.stream()
        .map(fault -> fault.path() + " " + fault.type().cause().replace("FieldValue", ""))
        .distinct()
        .toList();
  }

  private static ObjectNode written(String name, String line, String templateLine) {
    String text =
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: %s, namespace: default, uid: u}\nspec:\n  %s\n%s%s\n"
            .formatted(name, line, TEMPLATE, templateLine);
    Document document = Documents.read("test", text.getBytes(StandardCharsets.UTF_8)).getFirst();
    assertThat(document.faults()).isEmpty();
    return document.object().copy();
  }

  @Test
  void aStatusGetsTheNextTimeOnlyWhereTheGateIsOnAndKeepsIt() {
    FeatureGates on = FeatureGates.DEFAULT.with(Gate.CronJobsNextScheduleTime, true);
    ObjectNode without = Json.parse("{\"status\": {}}");
    ObjectNode with = Json.parse("{\"status\": {\"nextScheduleTime\": \"2026-01-31T12:05:00Z\"}}");
    assertThat(written(without, with, FeatureGates.DEFAULT)).isEqualTo(without);
    assertThat(written(without, with, on)).isEqualTo(with);
    assertThat(written(with, with, FeatureGates.DEFAULT)).isEqualTo(with);
    assertThat(written(with, without, FeatureGates.DEFAULT)).isEqualTo(without);
  }

  private static ObjectNode written(ObjectNode before, ObjectNode wanted, FeatureGates gates) {
    ObjectNode after = wanted.deepCopy();
    assertThat(CronJobAdmission.updateStatus(before, after, gates)).isEmpty();
    return after;
  }
}
