package dev.stint.engine;

import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.index.IndexSet;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Decisions about failed pods: limits, back-offs, failure policies and deadlines. */
class FailureDecisionsTest {
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
    world.assertConditions("FailureTarget", "Failed", "MaxFailedIndexesExceeded");
    assertThat(world.status.failedIndexes()).hasToString("1,2");
  }

  @Test
  void aPlanThatOnlyCountsFailuresDuringABackoffMayWait() {
    EngineWorld world =
        new EngineWorld(job("{'completions':2,'parallelism':2,'backoffLimit':6}")).settle();
    List<String> uids = List.copyOf(world.pods.keySet());
    world.finish(uids.get(0), PodPhase.Failed);
    assertThat(world.plan().urgency()).isEqualTo(Plan.Urgency.LATER);
    world.finish(uids.get(1), PodPhase.Succeeded);
    assertThat(world.plan().urgency()).isEqualTo(Plan.Urgency.COUNTS);
    world.settle();
    assertThat(world.status.failed()).isEqualTo(1);
    assertThat(world.pass(Duration.ofSeconds(10)).activeIndexes()).hasSize(1);
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
    world.assertConditions("FailureTarget", "Failed", "BackoffLimitExceeded");
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
    world.assertConditions("FailureTarget", "Failed", "FailedIndexes");
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
  @Covers("BI-35")
  void aJobThatWaitsForItsIndexesIsDecidedOnOnceASecond() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':2,'parallelism':2,'backoffLimitPerIndex':5}"))
            .settle();
    world.fail(0, 1);
    world.pass(Duration.ofMillis(9_700));
    assertThat(world.activeIndexes()).containsExactly(1);
    assertThat(world.again).as("due in 0.3 s").isEqualTo(world.now.plusSeconds(1));
  }

  @Test
  @Covers("BI-35")
  void aBackoffThatIsShorterThanASecondIsNotPutOff() {
    EngineWorld world =
        new EngineWorld(
            job("{'completionMode':'Indexed','completions':1,'backoffLimitPerIndex':5}"));
    world.options =
        new EngineOptions(
            new ExponentialBackoff(Duration.ofMillis(200), Duration.ofSeconds(1)), 500, 500);
    world.settle().fail(0, 1);
    assertThat(world.again).isEqualTo(world.now.plusMillis(200));
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
    world.assertConditions("FailureTarget", "Failed", "MaxFailedIndexesExceeded");
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
    world.assertConditions("FailureTarget", "Failed", "FailedIndexes");
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
    world.assertConditions("FailureTarget", "Failed", "BackoffLimitExceeded");
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
    world.assertConditions("FailureTarget", "Failed", "PodFailurePolicy");
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
    world.assertConditions("SuccessCriteriaMet", "Complete", "CompletionsReached");
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
    world.assertConditions("FailureTarget", "Failed", "DeadlineExceeded");
    assertThat(world.status.failed()).isEqualTo(2);
  }

  @Test
  void aJobThatFailsDoesNotCountAPodWhoseEvictionIsIgnored() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':2,'parallelism':2,"
                        + "'activeDeadlineSeconds':3,'podFailurePolicy':{'rules':"
                        + "[{'action':'Ignore','onPodConditions':"
                        + "[{'type':'DisruptionTarget','status':'True'}]}]}}"))
            .settle();
    world.deletedPodsVanish = false;
    world.disrupt(0).pass(Duration.ofSeconds(3));
    assertThat(world.status.isTrue("FailureTarget")).isTrue();
    assertThat(world.status.failed()).isEqualTo(1);
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
    EngineWorld failing = new EngineWorld(world.job);
    failing.status = world.status;
    failing.pods.putAll(world.pods);
    failing.fail(0, 1);
    assertThat(failing.status.isTrue("FailureTarget")).isTrue();
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
      world.pods.put(uid, world.edit(pod, PodPhase.Succeeded, true, true, false, List.of()));
      world.settle();
      assertThat(world.status.conditions()).isEmpty();
      assertThat(world.status.failed()).isOne();
      world.succeed(mode.equals("Indexed") ? 0 : -1);
      world.assertConditions("SuccessCriteriaMet", "Complete", "CompletionsReached");
      assertThat(world.status.succeeded()).isOne();
    }
  }

  @Test
  @Covers("TR-12")
  void aListedFailureThatARuleIgnoresByNowCounts() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':2,'parallelism':2,"
                        + "'backoffLimit':1,'podFailurePolicy':{'rules':"
                        + "[{'action':'Ignore','onPodConditions':"
                        + "[{'type':'DisruptionTarget','status':'True'}]}]}}"))
            .settle();
    world.failQuietly(0, 1);
    world.syncAndDieAfter(1);
    world.pods.replaceAll((_, pod) -> pod.index() == 0 ? EngineWorld.disrupted(pod) : pod);
    world.failQuietly(1, 1);
    world.sync();
    assertThat(world.status.isTrue("FailureTarget")).isTrue();
  }

  @Test
  void anIgnoredFailureDoesNotCountBesideOneOfAnIndexThatTheJobNoLongerHas() {
    String spec =
        "'completionMode':'Indexed','parallelism':3,'backoffLimit':0,'podFailurePolicy':{'rules':"
            + "[{'action':'Ignore','onExitCodes':{'operator':'In','values':[7]}}]}";
    EngineWorld world = new EngineWorld(job("{'completions':3," + spec + "}")).settle();
    world.failQuietly(2, 1);
    world.failQuietly(0, 7);
    world.job = job("{'completions':2," + spec + "}");
    assertThat(world.settle().status.conditions()).isEmpty();
  }

  /** Such as one that a Job without indexes has adopted. */
  @Test
  void anIndexMeansNothingToAJobWithoutIndexes() {
    EngineWorld world =
        new EngineWorld(job("{'completionMode':'Indexed','completions':2,'parallelism':2}"))
            .settle();
    world.failQuietly(1, 1);
    world.job = job("{'completions':1,'parallelism':1,'backoffLimit':0}");
    world.sync();
    assertThat(world.status.isTrue("FailureTarget")).isTrue();
  }

  @Test
  void aSuccessEndsTheBackoff() {
    EngineWorld world = new EngineWorld(job("{'completions':3,'parallelism':1}")).settle();
    world.fail(-1, 1).pass(Duration.ofSeconds(10));
    world.fail(-1, 1).pass(Duration.ofSeconds(20));
    world.succeed(-1).pass(Duration.ofSeconds(1)).fail(-1, 1);
    assertThat(world.again).isEqualTo(world.now.plusSeconds(10));
  }

  @Test
  void aJobIsDecidedOnAgainAtItsDeadlineOrAfterItsBackoffWhicheverIsFirst() {
    for (int deadline : new int[] {5, 60}) {
      EngineWorld world =
          new EngineWorld(job("{'completions':1,'activeDeadlineSeconds':" + deadline + "}"))
              .settle();
      world.fail(-1, 1);
      assertThat(world.again).isEqualTo(world.now.plusSeconds(Math.min(deadline, 10)));
    }
  }
}
