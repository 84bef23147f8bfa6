package dev.stint.engine;

import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.engine.pod.PodView.ContainerExit;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Gates that are turned off and on while Jobs run: stored fields stay, with or without effect. */
class GateSwitchTest {
  private static final Gate TRACKING = Gate.JobTrackingWithoutLingeringPods;

  /** Without both gates that make a Job wait for its pods. */
  private static final FeatureGates UNDELAYED =
      FeatureGates.DEFAULT.with(Gate.JobManagedBy, false).with(Gate.JobPodReplacementPolicy, false);

  private static final String PER_INDEX =
      "{'completionMode':'Indexed','completions':3,'parallelism':3,'backoffLimitPerIndex':0";

  @Test
  @Covers({"SP-44", "SP-45", "SP-25"})
  void aFinishedJobKeepsItsConditionsThroughEverySwitch() {
    EngineWorld world =
        new EngineWorld(
            job(
                "{'completionMode':'Indexed','completions':2,'parallelism':2,"
                    + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}"));
    switched(world, Gate.JobSuccessPolicy, false).succeed(0);
    assertThat(world.status.conditions()).isEmpty();
    switched(world, Gate.JobSuccessPolicy, true);
    List<JobCondition> conditions = world.status.conditions();
    assertThat(conditions)
        .extracting(JobCondition::type)
        .containsExactly("SuccessCriteriaMet", "Complete");
    assertThat(conditions).extracting(JobCondition::reason).containsOnly("SuccessPolicy");
    switched(world, Gate.JobSuccessPolicy, false);
    switched(world, Gate.JobSuccessPolicy, true);
    assertThat(world.status.conditions()).isEqualTo(conditions);
  }

  @Test
  @Covers("SP-25")
  void aJobThatReachedItsCompletionsIsReported() {
    EngineWorld world = new EngineWorld(job("{'completions':1}")).settle().succeed(-1);
    assertThat(world.status.conditions())
        .extracting(JobCondition::reason)
        .containsOnly("CompletionsReached");
  }

  @Test
  @Covers({"BI-42", "BI-43", "BI-55", "BI-62"})
  void aLimitPerIndexIsIgnoredWhileItsGateIsOffAndGovernsAgainAfterwards() {
    EngineWorld world = new EngineWorld(job(PER_INDEX + "}")).settle().fail(0, 1);
    assertThat(world.status.failedIndexes()).hasToString("0");
    switched(world, Gate.JobBackoffLimitPerIndex, false).pass(Duration.ofMinutes(10));
    assertThat(world.status.failedIndexes()).isNull();
    assertThat(world.activeIndexes()).containsExactly(0, 1, 2);
    switched(world, Gate.JobBackoffLimitPerIndex, true).fail(2, 1);
    assertThat(world.status.failedIndexes()).hasToString("2");
    assertThat(world.activeIndexes()).containsExactly(0, 1);
  }

  @Test
  @Covers({"BI-43", "BI-62"})
  void aFailureThatIsListedButNotLetGoStillEndsItsIndexWhenTheLimitGovernsAgain() {
    EngineWorld world = new EngineWorld(job(PER_INDEX + "}"));
    switched(world, Gate.JobBackoffLimitPerIndex, false).failQuietly(2, 1);
    world.syncAndDieAfter(1);
    assertThat(world.status.uncounted())
        .isEqualTo(new JobStatus.Uncounted(List.of(), List.of("pod-2")));
    switched(world, Gate.JobBackoffLimitPerIndex, true);
    assertThat(world.status.failedIndexes()).hasToString("2");
    assertThat(world.status.failed()).isEqualTo(1);
    assertThat(world.activeIndexes()).containsExactly(0, 1);
    assertThat(world.anyTracked()).isTrue();
    world.succeed(0).succeed(1);
    assertThat(world.anyTracked()).isFalse();
    assertThat(types(world)).containsExactly("FailureTarget", "Failed");
  }

  @Test
  @Covers({"BI-42", "BI-44"})
  void withTheGateOffOnlyTheLimitOfTheWholeJobCounts() {
    EngineWorld bounded = new EngineWorld(job(PER_INDEX + ",'backoffLimit':0}"));
    switched(bounded, Gate.JobBackoffLimitPerIndex, false).fail(0, 1);
    assertThat(bounded.status.conditions())
        .extracting(JobCondition::reason)
        .containsOnly("BackoffLimitExceeded");
    EngineWorld unbounded = new EngineWorld(job(PER_INDEX + ",'backoffLimit':2147483647}"));
    switched(unbounded, Gate.JobBackoffLimitPerIndex, false);
    for (int failures = 0; failures < 12; failures++) {
      assertThat(unbounded.fail(0, 1).activeIndexes()).as("during the back-off").hasSize(2);
      unbounded.pass(Duration.ofMinutes(10));
    }
    assertThat(unbounded.status.conditions()).isEmpty();
    assertThat(unbounded.activeIndexes()).containsExactly(0, 1, 2);
  }

  @Test
  void aPodFailurePolicyIsIgnoredWhileItsGateIsOff() {
    String spec =
        "{'completions':1,'podFailurePolicy':"
            + "{'rules':[{'action':'FailJob','onExitCodes':{'operator':'In','values':[42]}}]}}";
    EngineWorld off =
        switched(new EngineWorld(job(spec)), Gate.JobPodFailurePolicy, false).fail(-1, 42);
    assertThat(off.status.conditions()).isEmpty();
    off.pass(Duration.ofMinutes(10));
    switched(off, Gate.JobPodFailurePolicy, true).fail(-1, 42);
    assertThat(off.status.conditions())
        .extracting(JobCondition::reason)
        .containsOnly("PodFailurePolicy");
  }

  @Test
  void aReasonThatNamesARuleStaysThoughTheGateIsTurnedOff() {
    String spec =
        "{'completions':2,'parallelism':2,'podFailurePolicy':{'rules':[{'name':'DiskFull',"
            + "'action':'FailJob','onExitCodes':{'operator':'In','values':[42]}}]}}";
    EngineWorld world =
        switched(new EngineWorld(job(spec)), Gate.PodFailurePolicyName, true).fail(-1, 42);
    switched(world, Gate.PodFailurePolicyName, false).pass(Duration.ofMinutes(1));
    assertThat(world.status.conditions())
        .extracting(JobCondition::type, JobCondition::reason)
        .contains(tuple("FailureTarget", "PodFailurePolicy_DiskFull"))
        .doesNotContain(tuple("Failed", "PodFailurePolicy"));
  }

  @Test
  @Covers({"SP-22", "SP-44", "SP-48"})
  void withTheGateOffAJobEndsByItsCompletionsAndForNoReason() {
    for (boolean delayed : List.of(true, false)) {
      EngineWorld world =
          new EngineWorld(
              job(
                  "{'completionMode':'Indexed','completions':2,'parallelism':2,"
                      + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}"));
      world.gates = delayed ? FeatureGates.DEFAULT : UNDELAYED;
      switched(world, Gate.JobSuccessPolicy, false).succeed(0).succeed(1);
      assertThat(world.status.conditions())
          .extracting(JobCondition::type)
          .isEqualTo(delayed ? List.of("SuccessCriteriaMet", "Complete") : List.of("Complete"));
      assertThat(world.status.conditions())
          .extracting(JobCondition::reason, JobCondition::message)
          .containsOnly(tuple("", ""));
    }
  }

  @Test
  @Covers({"SP-34", "SP-36", "SP-45"})
  void whatASuccessPolicyDecidedStandsWhenItsGateGoesOff() {
    EngineWorld world =
        new EngineWorld(
            job(
                "{'completionMode':'Indexed','completions':2,'parallelism':2,"
                    + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}"));
    world.deletedPodsVanish = false;
    world.settle().succeed(0);
    assertThat(types(world)).containsExactly("SuccessCriteriaMet");
    world.gates = UNDELAYED.with(Gate.JobSuccessPolicy, false);
    world.settle().stopDeletedPods();
    world.settle();
    assertThat(types(world)).containsExactly("SuccessCriteriaMet", "Complete");
    assertThat(world.status.conditions())
        .extracting(JobCondition::reason)
        .containsOnly("SuccessPolicy");
    assertThat(world.created).isEqualTo(2);
  }

  @Test
  @Covers({"MB-21", "MB-24"})
  void anOutcomeIsAnnouncedAndDelayedWhereOneOfTwoGatesIsOn() {
    assertThat(whileAPodStops(true, true)).containsExactly("FailureTarget");
    assertThat(whileAPodStops(true, false)).containsExactly("FailureTarget");
    assertThat(whileAPodStops(false, true)).containsExactly("FailureTarget");
    assertThat(whileAPodStops(false, false)).containsExactly("Failed");
    assertThat(conditionsOfADoneJob(true, true)).contains("SuccessCriteriaMet", "Complete");
    assertThat(conditionsOfADoneJob(true, false)).contains("SuccessCriteriaMet", "Complete");
    assertThat(conditionsOfADoneJob(false, true)).contains("SuccessCriteriaMet", "Complete");
    assertThat(conditionsOfADoneJob(false, false)).containsExactly("Complete");
  }

  /** Two pods: one fails, and the other one runs for longer. */
  private static List<String> whileAPodStops(boolean managedBy, boolean replacement) {
    EngineWorld world = new EngineWorld(job("{'completions':2,'parallelism':2,'backoffLimit':0}"));
    world.deletedPodsVanish = false;
    switched(world, Gate.JobManagedBy, managedBy);
    switched(world, Gate.JobPodReplacementPolicy, replacement);
    world.finish("pod-0", PodPhase.Failed);
    world.settle();
    assertThat(world.status.failed()).isEqualTo(2);
    assertThat(world.status.terminating()).isEqualTo(replacement ? 1 : null);
    assertThat(world.anyTracked()).isFalse();
    List<String> types = types(world);
    world.stopDeletedPods();
    world.settle();
    assertThat(world.status.isFinished()).isTrue();
    return types;
  }

  @Test
  @Covers("MB-24")
  void aFailureThatOnlyPodsShowIsAnnouncedToo() {
    EngineWorld world =
        new EngineWorld(
            job(
                "{'completions':2,'parallelism':2,'podFailurePolicy':{'rules':"
                    + "[{'action':'FailJob','onExitCodes':{'operator':'In','values':[42]}}]}}"));
    world.gates = UNDELAYED;
    world.deletedPodsVanish = false;
    world.settle().finish("pod-0", PodPhase.Failed);
    world.pods.computeIfPresent(
        "pod-0",
        (_, pod) ->
            world.edit(pod, pod.phase(), true, false, false, List.of(new ContainerExit("c", 42))));
    world.settle();
    assertThat(types(world)).containsExactly("FailureTarget", "Failed");
    assertThat(world.status.conditions())
        .extracting(JobCondition::reason)
        .containsOnly("PodFailurePolicy");
  }

  @Test
  @Covers("MB-24")
  void tooManyContainerRestartsFailTheJob() {
    EngineWorld world =
        new EngineWorld(
            job(
                "{'completions':1,'backoffLimit':3,'template':{'spec':"
                    + "{'restartPolicy':'OnFailure','containers':[]}}}"));
    world.gates = UNDELAYED;
    world.settle();
    world.restart("pod-0", 3);
    world.settle();
    assertThat(types(world)).containsExactly("FailureTarget", "Failed");
    assertThat(world.status.failed()).isEqualTo(1);
  }

  private static List<String> conditionsOfADoneJob(boolean managedBy, boolean replacement) {
    EngineWorld world = new EngineWorld(job("{'completions':1}"));
    switched(world, Gate.JobManagedBy, managedBy);
    switched(world, Gate.JobPodReplacementPolicy, replacement).succeed(-1);
    return types(world);
  }

  private static List<String> types(EngineWorld world) {
    return world.status.conditions().stream().map(JobCondition::type).toList();
  }

  @Test
  void limitsPerIndexAndFailurePoliciesAlwaysUseFinalizers() {
    String policy =
        "{'completions':1,'podFailurePolicy':"
            + "{'rules':[{'action':'Count','onExitCodes':{'operator':'In','values':[1]}}]}}";
    for (String spec : List.of(PER_INDEX + "}", policy)) {
      EngineWorld world = switched(new EngineWorld(job(spec)), TRACKING, false);
      assertThat(world.pods.values()).isNotEmpty().allMatch(PodView::tracked);
    }
  }

  private static EngineWorld switched(EngineWorld world, Gate gate, boolean on) {
    world.gates = world.gates.with(gate, on);
    return world.settle();
  }

  /** A success policy's, and those that only pods show. */
  @Test
  @Covers({"MB-24", "SP-22"})
  void withoutTheDelayOnlySomeOutcomesAreAnnounced() {
    EngineWorld policy =
        new EngineWorld(
            job(
                "{'completionMode':'Indexed','completions':2,'parallelism':2,"
                    + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}"));
    policy.gates = UNDELAYED;
    assertThat(types(policy.settle().succeed(0))).containsExactly("SuccessCriteriaMet", "Complete");
    EngineWorld deadline = new EngineWorld(job("{'completions':1,'activeDeadlineSeconds':3}"));
    deadline.gates = UNDELAYED;
    assertThat(types(deadline.settle().pass(Duration.ofSeconds(3)))).containsExactly("Failed");
    EngineWorld untracked = new EngineWorld(job("{'completions':1,'backoffLimit':0}"));
    untracked.gates = UNDELAYED.with(TRACKING, false);
    assertThat(types(untracked.settle().fail(-1, 1)))
        .containsExactly(JobCondition.LEGACY_TRACKING, "FailureTarget", "Failed");
  }
}
