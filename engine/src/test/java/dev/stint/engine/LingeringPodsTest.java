package dev.stint.engine;

import static dev.stint.engine.TestJobs.asking;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.options.JobOptions;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pods that run when their Job has succeeded go on, if the Job asks for that. */
class LingeringPodsTest {
  private static final Duration DELAY = Duration.ofMinutes(1);
  private static final String PER_INDEX = spec(",'backoffLimitPerIndex':1");
  private static final String OVERALL = spec(",'backoffLimit':1");

  /** A Job of five indexes, three of which run at once, that succeeds with index 0. */
  private static String spec(String more) {
    return "{'completionMode':'Indexed','completions':5,'parallelism':3,"
        + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}"
        + more
        + "}";
  }

  private static EngineWorld succeeded(String linger, String spec) {
    EngineWorld world = new EngineWorld(asking(spec, JobOptions.LINGER, linger)).settle();
    return world.succeed(0);
  }

  private static List<String> conditions(EngineWorld world) {
    return world.status.conditions().stream().map(JobCondition::type).toList();
  }

  @Test
  @Covers({"EX-01", "EX-02"})
  void podsGoOnAndNoneIsCreated() {
    EngineWorld world = succeeded("Continue", PER_INDEX);
    assertThat(world.activeIndexes()).containsExactly(1, 2);
    assertThat(conditions(world)).containsExactly("SuccessCriteriaMet");
    world.fail(1, 1).pass(DELAY);
    assertThat(world.activeIndexes()).containsExactly(2);
    world.succeed(2);
    assertThat(conditions(world)).containsExactly("SuccessCriteriaMet", "Complete");
    assertThat(world.status.completedIndexes()).isEqualTo(IndexSet.of(0, 2));
    assertThat(world.status.failed()).isOne();
    assertThat(world.anyTracked()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Continue", "ContinueWithRecreations"})
  @Covers({"EX-02", "EX-04"})
  void theJobIsCompleteWhateverTheyDo(String linger) {
    EngineWorld world = succeeded(linger, spec(",'backoffLimit':0"));
    world.fail(1, 1);
    if (linger.equals("Continue")) {
      assertThat(conditions(world)).containsExactly("SuccessCriteriaMet");
      world.fail(2, 1);
    }
    assertThat(conditions(world)).contains("Complete").doesNotContain("Failed", "FailureTarget");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Covers("EX-03")
  void podsThatFailAreReplacedAndNoNewIndexBegins(boolean perIndex) {
    EngineWorld world = succeeded("ContinueWithRecreations", perIndex ? PER_INDEX : OVERALL);
    world.pass(Duration.ofSeconds(1)).fail(1, 1);
    assertThat(world.activeIndexes()).containsExactly(2);
    world.pass(DELAY);
    assertThat(world.activeIndexes()).containsExactly(1, 2);
    world.succeed(2).succeed(1);
    assertThat(world.status.completedIndexes()).isEqualTo(IndexSet.range(0, 2));
    assertThat(conditions(world)).containsExactly("SuccessCriteriaMet", "Complete");
  }

  @Test
  @Covers("EX-03")
  void theJobWaitsForTheDelayOfTheLastOne() {
    EngineWorld world = succeeded("ContinueWithRecreations", PER_INDEX);
    world.succeed(2).fail(1, 1);
    assertThat(conditions(world)).containsExactly("SuccessCriteriaMet");
    assertThat(world.again).isNotNull();
    world.pass(DELAY).succeed(1);
    assertThat(conditions(world)).contains("Complete");
  }

  @Test
  @Covers("EX-03")
  void aLimitOfRetriesEndsAnIndex() {
    EngineWorld world = succeeded("ContinueWithRecreations", PER_INDEX);
    world.succeed(2).fail(1, 1).pass(DELAY).fail(1, 1);
    assertThat(world.status.failedIndexes()).isEqualTo(IndexSet.of(1));
    assertThat(conditions(world)).containsExactly("SuccessCriteriaMet", "Complete");
  }

  @Test
  @Covers("EX-03")
  void aPolicyThatWouldFailTheJobEndsThemAllForGood() {
    EngineWorld world = succeeded("ContinueWithRecreations", OVERALL);
    world.deletedPodsVanish = false;
    world.fail(1, 1).pass(DELAY).fail(1, 1);
    assertThat(world.activeIndexes()).isEmpty();
    assertThat(conditions(world)).containsExactly("SuccessCriteriaMet", "stint.dev/LingeringEnded");
    assertThat(world.events).extracting(Plan.Event::reason).contains("Lingering", "LingeringEnded");
    world.stopDeletedPods();
    world.settle();
    assertThat(conditions(world)).endsWith("Complete");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Continue", "ContinueWithRecreations"})
  void theDeadlineEndsThemToo(String linger) {
    EngineWorld world = succeeded(linger, spec(",'activeDeadlineSeconds':100"));
    assertThat(world.again).isEqualTo(world.now.plusSeconds(100));
    world.pass(Duration.ofSeconds(100));
    assertThat(world.pods.values()).noneMatch(PodView::isActive);
    assertThat(conditions(world)).contains("Complete");
    assertThat(world.status.condition("stint.dev/LingeringEnded"))
        .hasValueSatisfying(end -> assertThat(end.reason()).isEqualTo("DeadlineExceeded"));
  }

  @Test
  void suspensionEndsThem() {
    EngineWorld world = succeeded("Continue", PER_INDEX);
    world.job =
        asking(spec(",'backoffLimitPerIndex':1,'suspend':true"), JobOptions.LINGER, "Continue");
    world.settle();
    assertThat(world.pods.values()).noneMatch(PodView::isActive);
    assertThat(conditions(world)).contains("Complete");
  }

  @Test
  @Covers("EX-01")
  void otherwiseTheyAreEnded() {
    EngineWorld world = succeeded("Terminate", PER_INDEX);
    assertThat(world.activeIndexes()).isEmpty();
    assertThat(conditions(world)).containsExactly("SuccessCriteriaMet", "Complete");
  }

  @Test
  @Covers("EX-02")
  void podsWithoutIndexesGoOnAfterAGoal() {
    EngineWorld world =
        new EngineWorld(
                asking(
                    "{'completions':5,'parallelism':2,'backoffLimit':0}",
                    JobOptions.SUCCESS_COUNT,
                    "1",
                    JobOptions.LINGER,
                    "Continue"))
            .settle();
    PodView first = world.pods.values().iterator().next();
    world.finish(first.uid(), PodPhase.Succeeded);
    world.settle();
    assertThat(world.created).isEqualTo(2);
    assertThat(conditions(world)).containsExactly("SuccessCriteriaMet");
    world.fail(PodView.NO_INDEX, 1);
    assertThat(conditions(world)).containsExactly("SuccessCriteriaMet", "Complete");
    assertThat(world.status.succeeded()).isOne();
    assertThat(world.status.failed()).isOne();
  }

  @Test
  void failedPodsStayUntilTheyAreReplaced() {
    EngineWorld world =
        new EngineWorld(
                asking(
                    OVERALL,
                    JobOptions.LINGER,
                    "ContinueWithRecreations",
                    JobOptions.KEEP_PODS,
                    "none"))
            .settle();
    world.succeed(0).fail(1, 1).succeed(2).pass(DELAY);
    assertThat(world.activeIndexes()).containsExactly(1);
    assertThat(world.pods.values())
        .as("with the last success, so that the failure delays nothing")
        .extracting(PodView::index)
        .containsExactlyInAnyOrder(1, 1, 2);
    world.succeed(1);
    assertThat(conditions(world)).contains("Complete");
    assertThat(world.pods).isEmpty();
  }

  @Test
  @Covers("EX-03")
  void aPodThatStopsIsWaitedForWhereOnlyStoppedPodsAreReplaced() {
    EngineWorld world =
        succeeded(
            "ContinueWithRecreations",
            spec(",'backoffLimitPerIndex':1,'podReplacementPolicy':'Failed'"));
    world.deletedPodsVanish = false;
    world.succeed(2).run(1);
    world.delete("pod-1");
    world.settle();
    assertThat(conditions(world)).containsExactly("SuccessCriteriaMet");
    world.stopDeletedPods();
    world.settle().pass(DELAY);
    assertThat(world.activeIndexes()).containsExactly(1);
  }

  @Test
  void lingeringIsToldOfOnce() {
    EngineWorld world = succeeded("Continue", PER_INDEX);
    JobCondition condition = world.status.conditions().getFirst();
    world.pass(DELAY).fail(1, 1);
    assertThat(world.status.conditions()).containsExactly(condition);
    assertThat(world.events).extracting(Plan.Event::reason).containsExactly("Lingering");
  }

  @Test
  void podsOfAJobThatFailsOrCompletesDoNotGoOn() {
    EngineWorld failing = new EngineWorld(asking(OVERALL, JobOptions.LINGER, "Continue")).settle();
    failing.failQuietly(1, 1);
    failing.fail(2, 1);
    assertThat(conditions(failing)).containsExactly("FailureTarget", "Failed");
    EngineWorld complete =
        new EngineWorld(
                asking(
                    "{'completions':2,'parallelism':2}",
                    JobOptions.SUCCESS_COUNT,
                    "2",
                    JobOptions.LINGER,
                    "Continue"))
            .settle();
    assertThat(complete.succeed(PodView.NO_INDEX).status.isFinished()).isTrue();
  }

  @Test
  void whatASuspensionEndedDoesNotGoOnWhenTheJobIsResumed() {
    EngineWorld world = succeeded("Continue", PER_INDEX);
    JobView resumed = world.job;
    world.deletedPodsVanish = false;
    world.job =
        asking(spec(",'backoffLimitPerIndex':1,'suspend':true"), JobOptions.LINGER, "Continue");
    world.syncAndDieAfter(1);
    assertThat(world.activeIndexes()).containsExactly(1, 2);
    world.job = resumed;
    world.settle();
    assertThat(world.activeIndexes()).isEmpty();
  }

  /** The annotation of a goal is no success policy, so the older gates do not announce its end. */
  @Test
  void aSuccessThatIsNotAnnouncedEndsThemAndOneThatWasDoesNot() {
    FeatureGates undelayed =
        FeatureGates.DEFAULT
            .with(Gate.JobManagedBy, false)
            .with(Gate.JobPodReplacementPolicy, false);
    JobView job =
        asking(
            "{'completions':5,'parallelism':2}",
            JobOptions.SUCCESS_COUNT,
            "1",
            JobOptions.LINGER,
            "Continue");
    EngineWorld unannounced = new EngineWorld(job);
    unannounced.gates = undelayed;
    unannounced.settle().finish("pod-0", PodPhase.Succeeded);
    assertThat(conditions(unannounced.settle())).containsExactly("Complete");
    EngineWorld announced = new EngineWorld(job).settle();
    announced.finish("pod-0", PodPhase.Succeeded);
    announced.settle().gates = undelayed;
    assertThat(conditions(announced.settle())).containsExactly("SuccessCriteriaMet");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Continue", "ContinueWithRecreations"})
  void restartsEndAPodOnlyIfItIsReplaced(String linger) {
    EngineWorld world =
        new EngineWorld(
                asking(
                    spec(
                        ",'backoffLimitPerIndex':1,"
                            + "'template':{'spec':{'restartPolicy':'OnFailure'}}"),
                    JobOptions.LINGER,
                    linger,
                    JobOptions.RESTARTS_PER_INDEX,
                    "true"))
            .settle();
    world.succeed(0).restart("pod-1", 2);
    assertThat(world.plan().overdue()).hasSize(linger.equals("Continue") ? 0 : 1);
  }

  @Test
  void noMoreRunThanTheParallelism() {
    EngineWorld world = succeeded("ContinueWithRecreations", PER_INDEX);
    world.job =
        asking(
            PER_INDEX.replace("'parallelism':3", "'parallelism':1"),
            JobOptions.LINGER,
            "ContinueWithRecreations");
    world.fail(1, 1).pass(DELAY);
    assertThat(world.activeIndexes()).containsExactly(2);
    world.succeed(2);
    assertThat(world.activeIndexes()).containsExactly(1);
  }
}
