package dev.stint.controllers.cronjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.controllers.gc.OwnerReference;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.covers.Covers;
import dev.stint.harness.Fault;
import dev.stint.harness.TestWorld;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class CronJobControllerTest {
  private static final ObjectRef CRON = new ObjectRef(Kind.CRON_JOB, "default", "nightly");

  private FeatureGates gates = FeatureGates.DEFAULT;
  private TestWorld world = new TestWorld();
  private CronJobController controller = fresh();

  private CronJobController fresh() {
    return fresh(world.api);
  }

  private CronJobController fresh(Cluster cluster) {
    return new CronJobController(cluster, world.eventLoop, Metrics.NONE, ZoneOffset.UTC, gates);
  }

  private void startAt(String time) {
    world = new TestWorld(time);
    controller = fresh();
  }

  private KubeObject add(String schedule, String spec) {
    return world.add(
        CRON,
        "",
        """
        'spec': {'schedule': '%s'%s, 'jobTemplate': {
          'metadata': {'labels': {'app': 'x'}, 'annotations': {'note': 'y'}},
          'spec': {'completions': 2, 'managedBy': 'example.com/other'}}}
        """
            .formatted(schedule, spec.isEmpty() ? "" : ", " + spec));
  }

  private void start() {
    controller.start();
    world.settle();
  }

  private void restart() {
    controller.close();
    controller = fresh();
    start();
  }

  private List<KubeObject> jobs() {
    return world.api.peekAll(Kind.JOB);
  }

  private List<String> starts() {
    return world.api.requests.stream().filter(r -> r.startsWith("create jobs")).toList();
  }

  private void showNext(boolean on) {
    gates = FeatureGates.DEFAULT.with(Gate.CronJobsNextScheduleTime, on);
    controller = fresh();
  }

  private String next() {
    return status("nextScheduleTime");
  }

  private long statusWrites() {
    return world.api.requests.stream().filter(r -> r.startsWith("updateStatus cronjobs")).count();
  }

  private List<String> events() {
    return world.api.peekAll(Kind.EVENT).stream()
        .map(event -> String.valueOf(Json.text(event.tree(), "reason")))
        .toList();
  }

  private List<String> scheduled() {
    return jobs().stream().map(job -> job.annotations().get(OwnedJob.SCHEDULED)).toList();
  }

  private String status(String member) {
    KubeObject cronJob = world.see(CRON);
    return String.valueOf(Json.text(cronJob.status(), member));
  }

  private List<String> active() {
    return List.copyOf(new CronStatus(world.see(CRON)).active.keySet());
  }

  private void finish(KubeObject job, String condition, Instant completion) {
    world.api.change(
        job.ref(),
        """
        {'status': {'startTime': '%s', 'completionTime': '%s',
        'conditions': [{'type': '%s', 'status': 'True', 'lastTransitionTime': '%s'}]}}
        """
            .formatted(
                job.creationTimestamp(), Timestamps.format(completion), condition, world.now()));
    world.settle();
  }

  @Test
  @Covers("MB-28")
  void aJobIsMadeOfTheTemplateWhenItIsDue() {
    KubeObject cronJob = add("5 12 * * *", "'timeZone': 'Etc/UTC'");
    start();
    world.pass(Duration.ofMinutes(4));
    assertThat(jobs()).isEmpty();
    world.pass(Duration.ofMinutes(1));

    assertThat(jobs()).hasSize(1);
    KubeObject job = jobs().getFirst();
    long minutes = Instant.parse("2026-01-31T12:05:00Z").getEpochSecond() / 60;
    assertThat(job.name()).isEqualTo("nightly-" + minutes);
    assertThat(job.labels()).containsEntry("app", "x");
    assertThat(job.annotations())
        .containsEntry("note", "y")
        .containsEntry(OwnedJob.SCHEDULED, "2026-01-31T12:05:00Z");
    assertThat(Json.text(job.spec(), "managedBy")).isEqualTo("example.com/other");
    assertThat(job.controllerUid()).isEqualTo(cronJob.uid());
    assertThat(OwnerReference.of(job)).allMatch(OwnerReference::blocks);
    assertThat(active()).containsExactly(job.uid());
    assertThat(status("lastScheduleTime")).isEqualTo("2026-01-31T12:05:00Z");
    assertThat(events()).containsExactly("SuccessfulCreate");
  }

  @Test
  void skippedLocalTimesAreNeverDueAndRepeatedOnesAreDueTwice() {
    startAt("2026-03-28T00:00:00Z");
    add("30 2 * * *", "'timeZone': 'Europe/Berlin'");
    start();
    world.pass(Duration.ofDays(3));
    assertThat(scheduled())
        .containsExactly("2026-03-28T02:30:00+01:00", "2026-03-30T02:30:00+02:00");

    startAt("2026-10-24T12:00:00Z");
    add("30 2 * * *", "'timeZone': 'Europe/Berlin'");
    start();
    world.pass(Duration.ofDays(1));
    assertThat(scheduled())
        .containsExactly("2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00");
  }

  @Test
  void onlyTheLastMissedTimeStartsAJob() {
    add("*/10 * * * *", "");
    world.pass(Duration.ofMinutes(55));
    start();
    assertThat(scheduled()).containsExactly("2026-01-31T12:50:00Z");
    assertThat(events()).containsExactly("SuccessfulCreate");
    world.pass(Duration.ofMinutes(5));
    assertThat(scheduled()).containsExactly("2026-01-31T12:50:00Z", "2026-01-31T13:00:00Z");
  }

  @Test
  void manyMissedTimesAreReportedAndTheLastOneStarts() {
    add("* * * * *", "");
    world.pass(Duration.ofDays(400));
    start();
    assertThat(jobs()).hasSize(1);
    assertThat(events()).containsExactly("TooManyMissedTimes", "SuccessfulCreate");
  }

  @ParameterizedTest
  @CsvSource({"299, 0, MissSchedule", "300, 1, SuccessfulCreate", "7200, 1, SuccessfulCreate"})
  void whatIsLaterThanTheDeadlineIsMissed(int deadline, int made, String event) {
    startAt("2026-01-31T12:30:00Z");
    add("0 * * * *", "'startingDeadlineSeconds': " + deadline);
    world.pass(Duration.ofMinutes(35));
    start();
    assertThat(jobs()).hasSize(made);
    assertThat(events()).containsExactly(event);
    world.api.change(CRON, "{'metadata': {'labels': {'touched': 'yes'}}}");
    world.settle();
    assertThat(events()).as("and told once").hasSize(1);
    world.pass(Duration.ofMinutes(56));
    assertThat(jobs()).hasSize(made + 1);
  }

  @Test
  @Covers({"SP-37", "MB-25"})
  void whereItIsForbiddenNoJobStartsBesideAnother() {
    add("* * * * *", "'concurrencyPolicy': 'Forbid'");
    start();
    world.pass(Duration.ofMinutes(5));
    assertThat(jobs()).hasSize(1);
    assertThat(events()).containsExactly("SuccessfulCreate", "JobAlreadyActive");

    finish(jobs().getFirst(), "SuccessCriteriaMet", world.now());
    assertThat(jobs()).as("the Job's pods are still being ended").hasSize(1);

    finish(jobs().getFirst(), "Complete", world.now());
    assertThat(scheduled()).containsExactly("2026-01-31T12:01:00Z", "2026-01-31T12:05:00Z");
    assertThat(events()).contains("SawCompletedJob");
  }

  /** A Job whose creation nobody has answered may run, though no watch reports it yet. */
  @ParameterizedTest
  @CsvSource({"Forbid", "Replace"})
  void noJobStartsBesideOneThatMayHaveBeenCreated(String policy) {
    add("* * * * *", "'concurrencyPolicy': '" + policy + "'");
    start();
    world.api.before(Fault.once("create jobs", world.api::holdNews));
    world.api.after(
        Fault.once(
            "create jobs",
            () -> {
              world.api.before(Fault.unavailable(""));
              throw new ClusterException(Reason.TIMEOUT, "nobody answered");
            }));
    world.pass(Duration.ofSeconds(125));
    assertThat(jobs()).hasSize(1);
    world.api.heal();
    world.pass(Duration.ofSeconds(50));
    assertThat(jobs()).hasSize(1);
    assertThat(active()).containsExactly(jobs().getFirst().uid());
  }

  @Test
  void jobsRunConcurrentlyIfAllowed() {
    add("* * * * *", "'concurrencyPolicy': 'Allow'");
    start();
    world.pass(Duration.ofMinutes(5));
    assertThat(jobs()).hasSize(5);
    assertThat(active()).hasSize(5);
  }

  @Test
  void aReplacedJobIsDeletedBeforeTheNextOneStarts() {
    add("* * * * *", "'concurrencyPolicy': 'Replace'");
    start();
    world.pass(Duration.ofMinutes(3));
    assertThat(scheduled()).containsExactly("2026-01-31T12:03:00Z");
    assertThat(active()).containsExactly(jobs().getFirst().uid());
    assertThat(events().stream().filter("SuccessfulDelete"::equals)).hasSize(2);
    assertThat(events()).doesNotContain("MissingJob");
  }

  @Test
  void nothingStartsWhileSuspendedAndTheLastMissedTimeStartsAfterwards() {
    add("* * * * *", "'suspend': true");
    start();
    world.pass(Duration.ofMinutes(10));
    assertThat(jobs()).isEmpty();
    world.api.change(CRON, "{'spec': {'suspend': false}}");
    world.settle();
    assertThat(scheduled()).containsExactly("2026-01-31T12:10:00Z");
  }

  @Test
  void theOldestFinishedJobsAreDeletedFirst() {
    add("* * * * *", "'successfulJobsHistoryLimit': 2, 'failedJobsHistoryLimit': 1");
    start();
    for (int i = 0; i < 6; i++) {
      world.pass(Duration.ofMinutes(1));
      finish(jobs().getLast(), i % 2 == 0 ? "Complete" : "Failed", world.now());
    }
    assertThat(scheduled())
        .containsExactly("2026-01-31T12:03:00Z", "2026-01-31T12:05:00Z", "2026-01-31T12:06:00Z");
    assertThat(active()).isEmpty();
  }

  @Test
  void aJobThatCannotBeDeletedDoesNotPreventStarts() {
    add("* * * * *", "'successfulJobsHistoryLimit': 0");
    start();
    world.api.before(Fault.unavailable("delete jobs"));
    world.pass(Duration.ofMinutes(1));
    finish(jobs().getFirst(), "Complete", world.now());
    world.pass(Duration.ofMinutes(1));
    assertThat(events()).containsSubsequence("FailedDelete", "SuccessfulCreate");
    world.api.heal();
    world.pass(Duration.ofMinutes(1));
    assertThat(scheduled()).containsExactly("2026-01-31T12:02:00Z", "2026-01-31T12:03:00Z");
  }

  @Test
  @Covers("MB-27")
  void aCompletionTimeNeedsTheCompleteCondition() {
    add("* * * * *", "");
    start();
    world.pass(Duration.ofMinutes(1));
    finish(jobs().getFirst(), "Failed", Instant.parse("2026-01-31T12:01:10Z"));
    assertThat(status("lastSuccessfulTime")).isEqualTo("null");
    world.pass(Duration.ofMinutes(1));
    finish(jobs().getLast(), "Complete", Instant.parse("2026-01-31T12:02:20Z"));
    assertThat(status("lastSuccessfulTime")).isEqualTo("2026-01-31T12:02:20Z");
  }

  @Test
  void anUnreadableScheduleIsReportedOnceAndUsedAfterItsCorrection() {
    add("nonsense", "");
    start();
    world.api.change(CRON, "{'metadata': {'labels': {'touched': 'yes'}}}");
    world.pass(Duration.ofMinutes(5));
    assertThat(events()).containsExactly("UnparseableSchedule");

    world.api.change(CRON, "{'spec': {'schedule': '* * * * *', 'timeZone': 'Mars/Base'}}");
    world.settle();
    assertThat(events()).containsExactly("UnparseableSchedule", "UnknownTimeZone");

    world.api.change(CRON, "{'spec': {'timeZone': 'Asia/Tokyo'}}");
    world.settle();
    assertThat(scheduled()).containsExactly("2026-01-31T21:05:00+09:00");
  }

  @Test
  void aForeignJobOfTheSameNameIsReportedAndLeftAlone() {
    long minutes = Instant.parse("2026-01-31T12:01:00Z").getEpochSecond() / 60;
    KubeObject other = world.add(TestWorld.job("nightly-" + minutes), "");
    add("1 12 * * *", "");
    start();
    world.pass(Duration.ofMinutes(10));
    assertThat(jobs()).extracting(KubeObject::uid).containsExactly(other.uid());
    assertThat(events()).containsExactly("FailedCreate");
    assertThat(active()).isEmpty();
  }

  @Test
  void missingJobsAreReportedAndManualJobsAreNotCounted() {
    KubeObject cronJob = add("1 12 * * *", "'concurrencyPolicy': 'Forbid'");
    start();
    world.pass(Duration.ofMinutes(1));
    world.api.remove(jobs().getFirst().ref(), Propagation.BACKGROUND);
    world.settle();
    assertThat(events()).containsExactly("SuccessfulCreate", "MissingJob");
    assertThat(active()).isEmpty();

    world.add(
        TestWorld.job("by-hand"),
        """
        'ownerReferences': [{'apiVersion': 'batch/v1', 'kind': 'CronJob', 'name': 'nightly',
        'uid': '%s', 'controller': true}]
        """
            .formatted(cronJob.uid()));
    world.settle();
    assertThat(events()).endsWith("UnexpectedJob");
    assertThat(active()).isEmpty();
  }

  /** As {@code kubectl replace --force} does. */
  @Test
  void anActiveJobThatIsReplacedByAnotherOfItsNameIsMissing() {
    add("* * * * *", "'concurrencyPolicy': 'Forbid'");
    start();
    world.pass(Duration.ofMinutes(1));
    KubeObject first = jobs().getFirst();
    world.api.erase(first.ref());
    world.add(first.ref(), "");
    world.pass(Duration.ofMinutes(1));
    assertThat(events()).contains("MissingJob");
    assertThat(active()).hasSize(1).doesNotContain(first.uid());
  }

  @Test
  void aJobThatIsMadeAgainIsNotDeletedInPlaceOfTheReplacedOne() {
    add("* * * * *", "'concurrencyPolicy': 'Replace'");
    start();
    world.pass(Duration.ofMinutes(1));
    ObjectRef first = jobs().getFirst().ref();
    world.api.before(
        Fault.once(
            "delete jobs",
            () -> {
              world.api.erase(first);
              world.add(first, "");
            }));
    world.pass(Duration.ofSeconds(65));
    assertThat(world.see(first).deletionTimestamp()).isNull();
    assertThat(jobs()).hasSize(2);
  }

  private void detach(KubeObject job) {
    world.api.change(job.ref(), "{'metadata': {'ownerReferences': null}}");
    world.settle();
  }

  @Test
  void aJobThatIsTakenFromItsCronJobIsNotDeletedWithTheHistory() {
    add("* * * * *", "'failedJobsHistoryLimit': 1");
    start();
    world.pass(Duration.ofMinutes(1));
    KubeObject taken = jobs().getFirst();
    finish(taken, "Failed", world.now());
    detach(taken);
    for (int i = 0; i < 2; i++) {
      world.pass(Duration.ofMinutes(1));
      finish(jobs().getLast(), "Failed", world.now());
    }
    assertThat(scheduled()).containsExactly("2026-01-31T12:01:00Z", "2026-01-31T12:03:00Z");
    assertThat(jobs().getFirst().uid()).isEqualTo(taken.uid());
  }

  @Test
  void aRunningJobThatIsTakenFromItsCronJobBlocksNothingOnceItIsGone() {
    add("* * * * *", "'concurrencyPolicy': 'Forbid'");
    start();
    world.pass(Duration.ofMinutes(1));
    KubeObject taken = jobs().getFirst();
    detach(taken);
    world.pass(Duration.ofMinutes(1));
    assertThat(active()).as("it runs").containsExactly(taken.uid());
    world.api.remove(taken.ref(), Propagation.BACKGROUND);
    world.pass(Duration.ofMinutes(1));
    assertThat(scheduled()).containsExactly("2026-01-31T12:03:00Z");
    assertThat(events()).contains("MissingJob");
  }

  @Test
  void aFailedStartIsRetried() {
    add("* * * * *", "");
    world.api.before(Fault.unavailable("create jobs"));
    start();
    world.pass(Duration.ofSeconds(90));
    assertThat(jobs()).isEmpty();
    world.api.heal();
    world.pass(Duration.ofSeconds(10));
    assertThat(scheduled()).containsExactly("2026-01-31T12:01:00Z");
    assertThat(status("lastScheduleTime")).isEqualTo("2026-01-31T12:01:00Z");
  }

  @Test
  void aControllerThatStopsAnywhereNeitherMissesNorRepeatsAStart() {
    for (int stop = 0; stop < 60; stop++) {
      startAt("2026-01-31T12:00:30Z");
      add("* * * * *", "'concurrencyPolicy': 'Forbid'");
      start();
      world.pass(Duration.ofSeconds(29));
      world.time.set(Instant.parse("2026-01-31T12:01:00Z"));
      world.api.change(CRON, "{'metadata': {'labels': {'touched': 'yes'}}}");
      for (int step = 0; step < stop; step++) {
        world.step();
      }
      restart();
      world.pass(Duration.ofSeconds(30));

      assertThat(scheduled())
          .as("stopped after %d steps", stop)
          .containsExactly("2026-01-31T12:01:00Z");
      assertThat(active()).containsExactly(jobs().getFirst().uid());
      assertThat(events()).doesNotContain("UnexpectedJob", "MissingJob");
      assertThat(starts()).hasSizeBetween(1, 2);

      world.pass(Duration.ofMinutes(2));
      assertThat(jobs()).as("one is running").hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aStartThatWasNotRecordedIsNotRepeatedWhenItsJobIsNotKept(boolean lost) {
    add("* * * * *", "'successfulJobsHistoryLimit': 0");
    start();
    world.api.before(Fault.unavailable("updateStatus cronjobs"));
    world.pass(Duration.ofMinutes(1));
    if (lost) {
      controller.close();
      controller = fresh();
    }
    finish(jobs().getFirst(), "Complete", world.now());
    world.pass(Duration.ofSeconds(15));
    world.api.heal();
    controller.start();
    world.pass(Duration.ofSeconds(30));
    assertThat(starts()).hasSize(1);
    assertThat(jobs()).isEmpty();
    assertThat(status("lastScheduleTime")).isEqualTo("2026-01-31T12:01:00Z");
  }

  @Test
  void aJobThatWasStartedWhileTheClockWasAheadDelaysNoOther() {
    add("* * * * *", "");
    start();
    world.pass(Duration.ofMinutes(1));
    KubeObject job = jobs().getFirst();
    world.api.change(
        job.ref(),
        "{'metadata': {'annotations': {'%s': '2027-01-01T00:00:00Z'}}}"
            .formatted(OwnedJob.SCHEDULED));
    finish(job, "Complete", world.now());
    assertThat(status("lastScheduleTime")).isEqualTo("2026-01-31T12:01:00Z");
    world.pass(Duration.ofMinutes(1));
    assertThat(starts()).hasSize(2);
  }

  @Test
  void deletedCronJobsStartNothing() {
    add("* * * * *", "");
    start();
    world.api.remove(CRON, Propagation.FOREGROUND);
    world.pass(Duration.ofMinutes(3));
    assertThat(jobs()).isEmpty();
  }

  @Test
  void theNextTimeIsShownOnlyWhereTheGateIsOn() {
    add("5 12 * * *", "");
    start();
    assertThat(next()).isEqualTo("null");
    controller.close();
    showNext(true);
    start();
    assertThat(next()).isEqualTo("2026-01-31T12:05:00Z");
    controller.close();
    showNext(false);
    start();
    assertThat(next()).as("what is stored stays").isEqualTo("2026-01-31T12:05:00Z");
    world.pass(Duration.ofMinutes(5));
    assertThat(scheduled()).containsExactly("2026-01-31T12:05:00Z");
    assertThat(next()).as("nobody keeps it up to date").isEqualTo("2026-01-31T12:05:00Z");
  }

  @Test
  void theWriteThatRecordsAStartHasTheNextTimeToo() {
    add("5 * * * *", "");
    start();
    world.pass(Duration.ofMinutes(5));
    long without = statusWrites();

    startAt("2026-01-31T12:00:00Z");
    showNext(true);
    add("5 * * * *", "");
    start();
    assertThat(statusWrites()).isEqualTo(1);
    world.api.change(CRON, "{'metadata': {'labels': {'touched': 'yes'}}}");
    world.pass(Duration.ofMinutes(5));
    assertThat(next()).isEqualTo("2026-01-31T13:05:00Z");
    assertThat(statusWrites()).isEqualTo(1 + without);
  }

  @Test
  void theNextTimeFollowsScheduleTimeZoneAndSuspension() {
    showNext(true);
    add("30 2 * * *", "'timeZone': 'Asia/Tokyo'");
    start();
    assertThat(next()).isEqualTo("2026-01-31T17:30:00Z");
    world.api.change(CRON, "{'spec': {'timeZone': 'Europe/Berlin'}}");
    world.settle();
    assertThat(next()).isEqualTo("2026-02-01T01:30:00Z");
    world.api.change(CRON, "{'spec': {'suspend': true}}");
    world.settle();
    assertThat(next()).isEqualTo("null");
    world.api.change(CRON, "{'spec': {'suspend': false, 'schedule': '0 0 30 2 *'}}");
    world.settle();
    assertThat(next()).as("there is no such day").isEqualTo("null");
    world.api.change(CRON, "{'spec': {'schedule': '0 4 1 * *'}}");
    world.settle();
    assertThat(next()).isEqualTo("2026-02-01T03:00:00Z");
    world.api.change(CRON, "{'spec': {'schedule': 'nonsense'}}");
    world.settle();
    assertThat(next()).isEqualTo("null");
  }

  @Test
  void theNextTimeMovesOnThoughNoJobMayStart() {
    showNext(true);
    add("* * * * *", "'concurrencyPolicy': 'Forbid'");
    start();
    world.pass(Duration.ofMinutes(3));
    assertThat(jobs()).hasSize(1);
    assertThat(next()).isEqualTo("2026-01-31T12:04:00Z");
  }

  @Test
  void theNextTimeMovesOnThoughTheJobIsRefused() {
    showNext(true);
    long minutes = Instant.parse("2026-01-31T12:01:00Z").getEpochSecond() / 60;
    world.add(TestWorld.job("nightly-" + minutes), "");
    add("1 * * * *", "");
    start();
    assertThat(next()).isEqualTo("2026-01-31T12:01:00Z");
    world.pass(Duration.ofMinutes(10));
    assertThat(events()).containsExactly("FailedCreate");
    assertThat(next()).isEqualTo("2026-01-31T13:01:00Z");
    assertThat(statusWrites()).as("not one with each try").isEqualTo(2);
  }

  @Test
  void anApiThatDropsTheNextTimeIsNotAskedAgain() {
    showNext(true);
    controller =
        fresh(
            new ForwardingCluster(world.api) {
              @Override
              public CompletableFuture<KubeObject> updateStatus(KubeObject object) {
                ObjectNode copy = object.copy();
                copy.withObjectProperty("status").remove("nextScheduleTime");
                return super.updateStatus(KubeObject.of(copy));
              }
            });
    add("5 12 * * *", "");
    start();
    world.api.change(CRON, "{'metadata': {'labels': {'touched': 'yes'}}}");
    world.settle();
    assertThat(statusWrites()).isEqualTo(1);
    world.pass(Duration.ofMinutes(5));
    assertThat(jobs()).hasSize(1);
  }
}
