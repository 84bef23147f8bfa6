package dev.stint.engine;

import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.engine.pod.PodView.Phase;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DecisionTest {
  private static void assertConditions(EngineWorld world, String... typesAndReason) {
    String reason = typesAndReason[typesAndReason.length - 1];
    List<String> types = List.of(typesAndReason).subList(0, typesAndReason.length - 1);
    assertThat(world.status.conditions())
        .extracting(JobCondition::type)
        .containsExactlyElementsOf(types);
    assertThat(world.status.conditions()).extracting(JobCondition::reason).containsOnly(reason);
  }

  @Test
  @Covers({"SP-32", "SP-31", "MB-22", "BI-26"})
  void anIndexedJobRunsInWavesAndCompletes() {
    EngineWorld world =
        new EngineWorld(job("{'completionMode':'Indexed','completions':3,'parallelism':2}"))
            .settle();
    assertThat(world.activeIndexes()).containsExactly(0, 1);
    assertThat(world.status.active()).isEqualTo(2);
    world.succeed(1);
    assertThat(world.activeIndexes()).containsExactly(0, 2);
    world.succeed(0).succeed(2);
    assertConditions(world, "SuccessCriteriaMet", "Complete", "CompletionsReached");
    assertThat(world.status.completedIndexes()).hasToString("0-2");
    assertThat(world.status.succeeded()).isEqualTo(3);
    assertThat(world.status.completionTime()).isEqualTo(world.now);
    assertThat(world.events).extracting(Plan.Event::reason).containsExactly("Completed");
    assertThat(world.anyTracked()).isFalse();
  }

  @Test
  @Covers({"TR-07", "TR-20", "TR-23"})
  void countedPodsMayGoWithoutChangingACount() {
    EngineWorld world = new EngineWorld(job("{'completions':3,'parallelism':1}")).settle();
    for (int done = 1; done <= 3; done++) {
      world.succeed(-1).collectStoppedPods();
      world.settle();
      assertThat(world.status.succeeded()).isEqualTo(done);
    }
    assertConditions(world, "SuccessCriteriaMet", "Complete", "CompletionsReached");
    assertThat(world.created).isEqualTo(3);
  }

  @Test
  void aWorkQueueEndsWhenOneHasSucceededAndNoneRuns() {
    EngineWorld world = new EngineWorld(job("{'parallelism':3}")).settle();
    List<String> uids = List.copyOf(world.pods.keySet());
    assertThat(uids).hasSize(3);
    world.finishAny(new java.util.Random(1), 0);
    world.settle();
    assertThat(world.status.active()).isEqualTo(2);
    assertThat(world.status.succeeded()).isEqualTo(1);
    assertThat(world.created).isEqualTo(3);
    world.succeed(-1);
    assertConditions(world, "SuccessCriteriaMet", "Complete", "CompletionsReached");
    assertThat(world.status.succeeded()).isEqualTo(3);
  }

  @Test
  @Covers({"SP-38", "SP-27", "SP-30"})
  void theLeadersSuccessEndsTheWorkersWhichAreNoFailures() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':4,'parallelism':4,"
                        + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}"))
            .settle();
    world.succeed(0);
    assertConditions(world, "SuccessCriteriaMet", "Complete", "SuccessPolicy");
    assertThat(world.status.failed()).isZero();
    assertThat(world.status.succeeded()).isEqualTo(1);
    assertThat(world.status.condition("Complete").orElseThrow().message())
        .isEqualTo("Matched rules at index 0");
  }

  @Test
  @Covers({"MB-21", "MB-23", "SP-31", "MB-18"})
  void theTerminalConditionWaitsUntilLingeringPodsHaveStopped() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':3,'parallelism':3,"
                        + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}"))
            .settle();
    world.deletedPodsVanish = false;
    world.run(1);
    world.run(2);
    world.settle();
    assertThat(world.status.ready()).isEqualTo(2);
    world.succeed(0);
    assertConditions(world, "SuccessCriteriaMet", "SuccessPolicy");
    assertThat(world.status.terminating()).isEqualTo(2);
    assertThat(world.status.ready()).isZero();
    assertThat(world.status.completionTime()).isNull();
    world.stopDeletedPods();
    world.settle();
    assertConditions(world, "SuccessCriteriaMet", "Complete", "SuccessPolicy");
    assertThat(world.status.terminating()).isZero();
    assertThat(world.status.failed()).isZero();
  }

  @Test
  @Covers({"SP-28", "SP-62"})
  void aCountOfAnyIndexesIsEnough() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':5,'parallelism':5,"
                        + "'successPolicy':{'rules':[{'succeededCount':3}]}}"))
            .settle();
    world.succeed(1).succeed(3);
    assertThat(world.status.conditions()).isEmpty();
    world.succeed(4);
    assertConditions(world, "SuccessCriteriaMet", "Complete", "SuccessPolicy");
    assertThat(world.status.completedIndexes()).hasToString("1,3,4");
  }

  @Test
  @Covers({"SP-35", "SP-57", "SP-63", "SP-36"})
  void whereAFailurePolicyAndTheSuccessPolicyHoldAtOnceTheJobFails() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':2,'parallelism':2,'backoffLimit':0,"
                        + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}"))
            .settle();
    world.failQuietly(1, 1);
    world.succeed(0);
    assertConditions(world, "FailureTarget", "Failed", "BackoffLimitExceeded");
  }

  @Test
  @Covers("SP-35")
  void failedIndexesBeyondTheCapOfARoundCountInTheSameEvaluation() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':3,'parallelism':3,"
                        + "'backoffLimitPerIndex':0,'maxFailedIndexes':1,"
                        + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}"))
            .settle();
    world.options = new EngineOptions(world.options.backoff(), 1, 500);
    world.failQuietly(1, 1);
    world.failQuietly(2, 1);
    world.succeed(0);
    assertConditions(world, "FailureTarget", "Failed", "MaxFailedIndexesExceeded");
    assertThat(world.status.failedIndexes()).hasToString("1,2");
  }

  @Test
  void aPlanThatOnlyCountsFailuresDuringABackoffMayWait() {
    EngineWorld world =
        new EngineWorld(job("{'completions':2,'parallelism':2,'backoffLimit':6}")).settle();
    List<String> uids = List.copyOf(world.pods.keySet());
    world.finish(uids.get(0), Phase.Failed);
    assertThat(world.plan().urgency()).isEqualTo(Plan.Urgency.LATER);
    world.finish(uids.get(1), Phase.Succeeded);
    assertThat(world.plan().urgency()).isEqualTo(Plan.Urgency.COUNTS);
    world.settle();
    assertThat(world.status.failed()).isEqualTo(1);
    assertThat(world.pass(Duration.ofSeconds(10)).activeIndexes()).hasSize(1);
  }

  @Test
  @Covers({"SP-34", "SP-36"})
  void onceTheSuccessCriteriaAreMetFailuresNoLongerMatter() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':3,'parallelism':3,'backoffLimit':0,"
                        + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}"))
            .settle();
    world.deletedPodsVanish = false;
    world.run(1);
    world.run(2);
    world.succeed(0);
    world.stopDeletedPods();
    world.settle();
    assertConditions(world, "SuccessCriteriaMet", "Complete", "SuccessPolicy");
  }

  @Test
  @Covers({"SP-33", "MB-22"})
  void oneFailureMoreThanTheBackoffLimitFailsTheJob() {
    EngineWorld world = new EngineWorld(job("{'backoffLimit':1}")).settle();
    world.fail(-1, 1);
    assertThat(world.status.failed()).isEqualTo(1);
    assertThat(world.activeIndexes()).isEmpty();
    world.pass(Duration.ofSeconds(9));
    assertThat(world.activeIndexes()).isEmpty();
    world.pass(Duration.ofSeconds(1));
    assertThat(world.activeIndexes()).hasSize(1);
    world.fail(-1, 1);
    assertConditions(world, "FailureTarget", "Failed", "BackoffLimitExceeded");
    assertThat(world.status.failed()).isEqualTo(2);
    assertThat(
            world.statuses.stream()
                .filter(s -> s.isTrue("FailureTarget"))
                .findFirst()
                .orElseThrow()
                .isTrue("Failed"))
        .isFalse();
    assertThat(world.events)
        .contains(
            new Plan.Event(
                true, "BackoffLimitExceeded", "Job has reached the specified backoff limit"));
  }

  @Test
  @Covers("BI-34")
  void theBackoffDoublesAndSurvivesARestartOfTheController() {
    EngineWorld world = new EngineWorld(job("{'backoffLimit':6}")).settle();
    for (int seconds : new int[] {10, 20, 40}) {
      world.fail(-1, 1);
      assertThat(world.again).isEqualTo(world.now.plusSeconds(seconds));
      world.pass(Duration.ofSeconds(seconds - 1));
      assertThat(world.activeIndexes()).isEmpty();
      world.pass(Duration.ofSeconds(1));
      assertThat(world.activeIndexes()).hasSize(1);
    }
  }

  @Test
  void statusDuringABackoffStillCountsThePodsThatRun() {
    EngineWorld world =
        new EngineWorld(job("{'completionMode':'Indexed','completions':3,'parallelism':3}"))
            .settle();
    world.run(1);
    world.run(2);
    world.fail(0, 1);
    assertThat(world.status.active()).isEqualTo(2);
    assertThat(world.status.ready()).isEqualTo(2);
    assertThat(world.status.failed()).isEqualTo(1);
    assertThat(world.anyTracked()).isTrue();
  }

  @Test
  @Covers({
    "BI-19", "BI-20", "BI-21", "BI-22", "BI-25", "BI-26", "BI-17", "BI-16", "BI-50", "BI-58"
  })
  void eachIndexHasItsOwnLimitAndTheOthersGoOn() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':3,'parallelism':3,'backoffLimitPerIndex':1}"))
            .settle();
    world.succeed(1).succeed(2).fail(0, 1);
    assertThat(world.status.failed()).as("counted only once its replacement exists").isZero();
    assertThat(world.status.failedIndexes()).isEqualTo(IndexSet.EMPTY);
    assertThat(world.anyTracked()).isTrue();
    assertThat(world.again).isEqualTo(world.now.plusSeconds(10));
    world.pass(Duration.ofSeconds(10));
    assertThat(world.activeIndexes()).containsExactly(0);
    assertThat(world.status.failed()).isEqualTo(1);
    world.fail(0, 1);
    assertConditions(world, "FailureTarget", "Failed", "FailedIndexes");
    assertThat(world.status.failedIndexes()).hasToString("0");
    assertThat(world.status.completedIndexes()).hasToString("1,2");
    assertThat(world.status.failed()).isEqualTo(2);
    assertThat(world.status.completionTime()).isNull();
  }

  @Test
  @Covers({"BI-30", "BI-31", "BI-60", "BI-67", "BI-35"})
  void delaysArePerIndex() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':2,'parallelism':2,'backoffLimitPerIndex':5}"))
            .settle();
    world.fail(0, 1);
    world.pass(Duration.ofSeconds(10));
    world.fail(0, 1);
    world.fail(1, 1);
    assertThat(world.again).as("index 1 is due first").isEqualTo(world.now.plusSeconds(10));
    world.pass(Duration.ofSeconds(10));
    assertThat(world.activeIndexes()).containsExactly(1);
    assertThat(world.again).isEqualTo(world.now.plusSeconds(10));
    world.pass(Duration.ofSeconds(10));
    assertThat(world.activeIndexes()).containsExactly(0, 1);
  }

  @Test
  @Covers({"BI-27", "BI-59", "BI-65"})
  void moreFailedIndexesThanAllowedEndTheJobAndWhatRanCountsAsFailed() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':5,'parallelism':5,'backoffLimitPerIndex':0,"
                        + "'maxFailedIndexes':1}"))
            .settle();
    world.fail(0, 1);
    assertThat(world.status.conditions()).isEmpty();
    assertThat(world.status.failedIndexes()).hasToString("0");
    world.fail(3, 1);
    assertConditions(world, "FailureTarget", "Failed", "MaxFailedIndexesExceeded");
    assertThat(world.status.failed()).isEqualTo(5);
    assertThat(world.status.failedIndexes()).hasToString("0,3");
  }

  @Test
  @Covers({"BI-15", "BI-56", "BI-63"})
  void failIndexEndsAnIndexAtOnceAndOnlyWhereTheGateIsOn() {
    String spec =
        "{'completionMode':'Indexed','completions':3,'parallelism':3,'backoffLimitPerIndex':3,'podFailurePolicy':"
            + "{'rules':[{'action':'FailIndex','onExitCodes':{'operator':'In','values':[42]}}]}}";
    EngineWorld world = new EngineWorld(job(spec)).settle().fail(1, 42);
    assertThat(world.status.failedIndexes()).hasToString("1");
    world.succeed(0).succeed(2);
    assertConditions(world, "FailureTarget", "Failed", "FailedIndexes");
    assertThat(world.status.failed()).isEqualTo(1);

    EngineWorld gateOff = new EngineWorld(job(spec));
    gateOff.gates = gateOff.gates.with(Gate.JobBackoffLimitPerIndex, false);
    gateOff.settle().fail(1, 42);
    assertThat(gateOff.status.failedIndexes()).isNull();
    gateOff.pass(Duration.ofSeconds(10));
    assertThat(gateOff.activeIndexes()).containsExactly(0, 1, 2);
  }

  @Test
  @Covers({"BI-11", "BI-66"})
  void theLimitOverTheWholeJobMayBeReachedFirst() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':3,'parallelism':3,'backoffLimitPerIndex':5,"
                        + "'backoffLimit':1}"))
            .settle();
    world.fail(0, 1);
    assertThat(world.status.conditions()).isEmpty();
    world.fail(1, 1);
    assertConditions(world, "FailureTarget", "Failed", "BackoffLimitExceeded");
  }

  @Test
  void failJobFailsTheJobAndNamesThePod() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':3,'parallelism':3,'podFailurePolicy':{'rules':"
                        + "[{'action':'FailJob','onExitCodes':{'operator':'In','values':[42]}}]}}"))
            .settle();
    world.fail(2, 42);
    assertConditions(world, "FailureTarget", "Failed", "PodFailurePolicy");
    assertThat(world.status.failed()).isEqualTo(3);
    assertThat(world.status.condition("Failed").orElseThrow().message())
        .contains("container main exited with code 42")
        .contains("FailJob rule at index 0");
  }

  @Test
  void anIgnoredFailureIsNotCountedAndThePodIsReplaced() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'backoffLimit':0,'podFailurePolicy':{'rules':"
                        + "[{'action':'Ignore','onExitCodes':{'operator':'In','values':[7]}}]}}"))
            .settle();
    world.fail(-1, 7);
    assertThat(world.status.failed()).isZero();
    assertThat(world.anyTracked()).isFalse();
    world.pass(Duration.ofSeconds(10)).succeed(-1);
    assertConditions(world, "SuccessCriteriaMet", "Complete", "CompletionsReached");
  }

  @Test
  @Covers("BI-18")
  void anIgnoredFailureOfAnIndexDoesNotRaiseItsFailureCount() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':1,'parallelism':1,'backoffLimitPerIndex':0,"
                        + "'podFailurePolicy':{'rules':"
                        + "[{'action':'Ignore','onExitCodes':{'operator':'In','values':[7]}}]}}"))
            .settle();
    world.fail(0, 7);
    assertThat(world.status.failedIndexes()).isEqualTo(IndexSet.EMPTY);
    world.pass(Duration.ofSeconds(10));
    assertThat(world.pods.values())
        .filteredOn(pod -> pod.isActive())
        .singleElement()
        .satisfies(pod -> {
          assertThat(pod.failureCount()).isZero();
          assertThat(pod.ignoredFailureCount()).isEqualTo(1);
        });
    assertThat(world.status.failed()).isZero();
  }

  @Test
  @Covers("SP-33")
  void aDeadlineFailsTheJobAndItsPods() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':2,'parallelism':2,'activeDeadlineSeconds':3}"))
            .settle();
    assertThat(world.again).isEqualTo(world.now.plusSeconds(3));
    world.pass(Duration.ofSeconds(3));
    assertConditions(world, "FailureTarget", "Failed", "DeadlineExceeded");
    assertThat(world.status.failed()).isEqualTo(2);
  }

  @Test
  @Covers({"TR-19", "TR-41"})
  void aRunningPodThatSomebodyDeletesCountsAndIsReplaced() {
    EngineWorld world =
        new EngineWorld(job("{'completionMode':'Indexed','completions':2,'parallelism':2}"))
            .settle();
    world.deletedPodsVanish = false;
    world.run(0);
    world.run(1);
    world.delete("pod-0");
    world.settle();
    assertThat(world.status.failed()).isEqualTo(1);
    assertThat(world.status.terminating()).isEqualTo(1);
    assertThat(world.activeIndexes()).containsExactly(0, 1);
  }

  @Test
  void underReplacementPolicyFailedAPodIsReplacedOnlyOnceItStopped() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':2,'parallelism':2,'podReplacementPolicy':'Failed'}"))
            .settle();
    world.deletedPodsVanish = false;
    world.run(0);
    world.run(1);
    world.delete("pod-0");
    world.settle();
    assertThat(world.status.failed()).isZero();
    assertThat(world.status.active()).isEqualTo(1);
    assertThat(world.activeIndexes()).containsExactly(1);
    world.stopDeletedPods();
    world.settle().pass(Duration.ofSeconds(10));
    assertThat(world.status.failed()).isEqualTo(1);
    assertThat(world.activeIndexes()).containsExactly(0, 1);
  }

  @Test
  @Covers("TR-21")
  void loweringTheParallelismRemovesPodsThatAreNoFailures() {
    EngineWorld world = new EngineWorld(job("{'completions':9,'parallelism':4}")).settle();
    world.job = job("{'completions':9,'parallelism':1}");
    world.settle();
    assertThat(world.activeIndexes()).hasSize(1);
    assertThat(world.status.failed()).isZero();
    assertThat(world.status.active()).isEqualTo(1);
  }

  @Test
  void suspensionRemovesThePodsAndResumingStartsTheClockAnew() {
    EngineWorld world =
        new EngineWorld(job("{'completionMode':'Indexed','completions':2,'parallelism':2}"))
            .settle();
    world.job = job("{'completionMode':'Indexed','completions':2,'parallelism':2,'suspend':true}");
    world.settle();
    assertThat(world.pods).isEmpty();
    assertThat(world.status.failed()).isZero();
    assertThat(world.status.isTrue("Suspended")).isTrue();
    assertThat(world.status.startTime()).as("it can't be changed later").isNull();
    world.pass(Duration.ofMinutes(1));
    world.job = job("{'completionMode':'Indexed','completions':2,'parallelism':2}");
    world.settle();
    assertThat(world.status.startTime()).isEqualTo(world.now);
    assertThat(world.status.condition("Suspended").orElseThrow().reason()).isEqualTo("JobResumed");
    assertThat(world.activeIndexes()).containsExactly(0, 1);
    assertThat(world.events).extracting(Plan.Event::reason).containsExactly("Suspended", "Resumed");
  }

  @Test
  void aJobCreatedSuspendedHasNoStartTimeAndOneCreatedRunningHasNoSuspendedCondition() {
    EngineWorld suspended = new EngineWorld(job("{'suspend':true}")).settle();
    assertThat(suspended.status.startTime()).isNull();
    assertThat(suspended.status.isTrue("Suspended")).isTrue();
    assertThat(new EngineWorld(job("{}")).settle().status.conditions()).isEmpty();
  }

  @Test
  void theSuspendedConditionOfANewJobMayBeDeferred() {
    EngineWorld created = new EngineWorld(job("{'suspend':true}"));
    assertThat(created.plan().status()).isNotNull();
    assertThat(created.plan().urgency()).isEqualTo(Plan.Urgency.LATER);
    created.settle();
    created.job = job("{}");
    assertThat(created.plan().urgency()).isEqualTo(Plan.Urgency.NOW);
    EngineWorld running = new EngineWorld(job("{}")).settle();
    running.job = job("{'suspend':true}");
    assertThat(running.plan().urgency()).isEqualTo(Plan.Urgency.NOW);
  }

  @Test
  void aTerminatingPodBlocksItsIndexIfOnlyStoppedPodsAreReplaced() {
    String spec =
        "'completionMode':'Indexed','completions':2,'parallelism':2,'backoffLimitPerIndex':1,'podReplacementPolicy':'Failed'";
    EngineWorld world = new EngineWorld(job("{" + spec + "}")).settle();
    world.deletedPodsVanish = false;
    world.run(0);
    world.job = job("{" + spec + ",'suspend':true}");
    world.settle();
    world.job = job("{" + spec + "}");
    world.settle();
    assertThat(world.activeIndexes()).isEmpty();
    world.stopDeletedPods();
    world.settle();
    assertThat(world.activeIndexes()).containsExactly(0, 1);
  }

  @Test
  void aFailureOfAnIndexThatTheJobNoLongerHasDoesNotFailIt() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':3,'parallelism':3,'backoffLimit':0}"))
            .settle();
    world.failQuietly(2, 1);
    world.job =
        job("{'completionMode':'Indexed','completions':2,'parallelism':2,'backoffLimit':0}");
    world.settle();
    assertThat(world.status.conditions()).isEmpty();
    assertThat(world.activeIndexes()).containsExactly(0, 1);
  }

  @Test
  @Covers("TR-12")
  void aPodThatSucceedsAfterItWasListedAsFailedStaysAFailure() {
    for (String mode : List.of("Indexed", "NonIndexed")) {
      EngineWorld world =
          new EngineWorld(job("{'completionMode':'" + mode + "','completions':1}")).settle();
      world.deletedPodsVanish = false;
      String uid = world.pods.keySet().iterator().next();
      world.delete(uid);
      world.syncAndDieAfter(2);
      PodView pod = Objects.requireNonNull(world.pods.get(uid));
      assertThat(pod.tracked()).isTrue();
      world.pods.put(uid, world.edit(pod, PodView.Phase.Succeeded, true, true, false, List.of()));
      world.settle();
      assertThat(world.status.conditions()).isEmpty();
      assertThat(world.status.failed()).isOne();
      world.succeed(mode.equals("Indexed") ? 0 : -1);
      assertConditions(world, "SuccessCriteriaMet", "Complete", "CompletionsReached");
      assertThat(world.status.succeeded()).isOne();
    }
  }

  @Test
  void surplusPodsOfFinishedIndexesAreDeletedFirst() {
    EngineWorld world =
        new EngineWorld(job("{'completionMode':'Indexed','completions':2,'parallelism':2}"))
            .settle();
    world.run(1);
    world.status = JobStatus.read(Json.parse("{\"completedIndexes\":\"1\",\"succeeded\":1}"));
    world.settle();
    assertThat(world.activeIndexes()).containsExactly(0);
  }

  @Test
  void completionsMayGrow() {
    EngineWorld world =
        new EngineWorld(job("{'completionMode':'Indexed','completions':2,'parallelism':2}"))
            .settle();
    world.succeed(0);
    world.job = job("{'completionMode':'Indexed','completions':4,'parallelism':4}");
    world.settle();
    assertThat(world.activeIndexes()).containsExactly(1, 2, 3);
  }

  @Test
  @Covers("TR-14")
  void aRoundListsNoMoreUidsThanTheCap() {
    EngineWorld world =
        new EngineWorld(job("{'completions':700,'parallelism':700,'backoffLimit':1000}")).settle();
    assertThat(world.created).isEqualTo(700);
    world.failQuietly(-1, 1);
    world.settle();
    assertThat(world.status.failed()).isEqualTo(700);
    assertThat(world.statuses)
        .map(JobStatus::uncounted)
        .allSatisfy(lists -> {
          assertThat(Objects.requireNonNull(lists).failed()).hasSizeLessThanOrEqualTo(500);
        });
  }

  @Test
  void aDeletedJobReleasesItsPods() {
    EngineWorld world = new EngineWorld(job("{'parallelism':2}")).settle();
    world.job = TestJobs.deleting(world.job);
    world.settle();
    assertThat(world.anyTracked()).isFalse();
    assertThat(world.created).isEqualTo(2);
  }

  @Test
  @Covers({"SP-44", "SP-58"})
  void withTheGateOffASuccessPolicyIsNotLookedAt() {
    EngineWorld world =
        new EngineWorld(
            job(
                "{'completionMode':'Indexed','completions':2,'parallelism':2,"
                    + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}"));
    world.gates = world.gates.with(Gate.JobSuccessPolicy, false);
    world.settle().succeed(0);
    assertThat(world.status.conditions()).isEmpty();
    world.gates = world.gates.with(Gate.JobSuccessPolicy, true);
    world.settle();
    assertConditions(world, "SuccessCriteriaMet", "Complete", "SuccessPolicy");
  }

  @Test
  void aJobWithoutWorkIsCompleteAtOnce() {
    EngineWorld world = new EngineWorld(job("{'completions':0}")).settle();
    assertConditions(world, "SuccessCriteriaMet", "Complete", "CompletionsReached");
    assertThat(world.created).isZero();
  }

  @Test
  void aSuspendedJobWithoutWorkIsCompleteWithoutHavingStarted() {
    EngineWorld world = new EngineWorld(job("{'completions':0,'suspend':true}")).settle();
    assertConditions(world, "SuccessCriteriaMet", "Complete", "CompletionsReached");
    assertThat(world.status.condition(JobCondition.SUSPENDED)).isEmpty();
    assertThat(world.status.startTime()).isNull();
    assertThat(world.status.completionTime()).isEqualTo(world.now);
    assertThat(world.events).extracting(Plan.Event::reason).containsExactly("Completed");
  }

  @Test
  void aFinishedJobReportsNoSuspensionOrResumption() {
    EngineWorld suspended = new EngineWorld(job("{'completions':1}")).settle();
    Instant started = suspended.now;
    suspended.pass(Duration.ofMinutes(1));
    suspended.finish("pod-0", Phase.Succeeded);
    suspended.job = job("{'completions':1,'suspend':true}");
    suspended.settle();
    assertConditions(suspended, "SuccessCriteriaMet", "Complete", "CompletionsReached");
    assertThat(suspended.status.condition(JobCondition.SUSPENDED)).isEmpty();
    assertThat(suspended.status.startTime()).isEqualTo(started);
    assertThat(suspended.events).extracting(Plan.Event::reason).containsExactly("Completed");
    EngineWorld resumed = suspendedAsItsPodSucceeds();
    resumed.job = job("{'completions':1}");
    resumed.settle();
    assertThat(resumed.status.isTrue(JobCondition.COMPLETE)).isTrue();
    assertThat(resumed.status.isTrue(JobCondition.SUSPENDED)).isTrue();
    assertThat(resumed.events)
        .extracting(Plan.Event::reason)
        .containsExactly("Suspended", "Completed");
  }

  @Test
  void aSuspendedJobThatSucceedsHasAStartTime() {
    EngineWorld world = suspendedAsItsPodSucceeds();
    assertThat(world.status.startTime()).isNull();
    world.settle();
    assertThat(world.status.isTrue(JobCondition.COMPLETE)).isTrue();
    assertThat(world.status.startTime()).isNotNull();
  }

  /** A Job with the condition Suspended whose pod succeeded before it was released. */
  private static EngineWorld suspendedAsItsPodSucceeds() {
    EngineWorld world = new EngineWorld(job("{'completions':1}")).settle();
    world.job = job("{'completions':1,'suspend':true}");
    world.syncAndDieAfter(1);
    world.finish("pod-0", Phase.Succeeded);
    return world;
  }
}
