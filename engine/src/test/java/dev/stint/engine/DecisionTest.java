package dev.stint.engine;

import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.model.Json;
import dev.stint.model.job.JobStatus;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The decisions on a Job from its first pod to its last; others are in the tests beside it. */
class DecisionTest {
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
    world.assertConditions("SuccessCriteriaMet", "Complete", "CompletionsReached");
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
    world.assertConditions("SuccessCriteriaMet", "Complete", "CompletionsReached");
    assertThat(world.created).isEqualTo(3);
  }

  @Test
  void aJobCompletesThoughTheClockWasSetBackBehindItsStart() {
    EngineWorld world = new EngineWorld(job("{'completions':1}")).settle();
    world.now = world.now.minus(Duration.ofHours(1));
    world.succeed(-1);
    world.assertConditions("SuccessCriteriaMet", "Complete", "CompletionsReached");
    assertThat(world.status.completionTime()).isEqualTo(world.status.startTime());
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
    world.assertConditions("SuccessCriteriaMet", "Complete", "CompletionsReached");
    assertThat(world.status.succeeded()).isEqualTo(3);
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
  void aJobWithoutWorkIsCompleteAtOnce() {
    EngineWorld world = new EngineWorld(job("{'completions':0}")).settle();
    world.assertConditions("SuccessCriteriaMet", "Complete", "CompletionsReached");
    assertThat(world.created).isZero();
  }

  @Test
  void underReplacementPolicyFailedPodsThatStillStopCountTowardsTheParallelism() {
    EngineWorld world =
        new EngineWorld(job("{'completions':9,'parallelism':2,'podReplacementPolicy':'Failed'}"))
            .settle();
    world.deletedPodsVanish = false;
    world.run(PodView.NO_INDEX);
    world.delete("pod-0");
    assertThat(world.plan().create()).isEmpty();
    world.job = job("{'completions':9,'parallelism':3,'podReplacementPolicy':'Failed'}");
    assertThat(world.plan().create()).hasSize(1);
  }

  @Test
  void aWorkQueueThatIsAboutToEndMayRunOnFewerPods() {
    EngineWorld world = new EngineWorld(job("{'parallelism':3}")).settle();
    world.finish("pod-0", PodPhase.Succeeded);
    world.settle();
    world.job = job("{'parallelism':1}");
    assertThat(world.plan().release()).hasSize(1);
    world.job = job("{'parallelism':5}");
    assertThat(world.plan().create()).isEmpty();
  }

  @Test
  void aPlanChangesNoMorePodsThanItMay() {
    EngineWorld world = new EngineWorld(job("{'completions':9,'parallelism':5}"));
    world.options = new EngineOptions(world.options.backoff(), 500, 2);
    assertThat(world.plan().create()).hasSize(2);
    world.settle();
    assertThat(world.activeIndexes()).hasSize(5);
    world.job = job("{'completions':9,'parallelism':1}");
    assertThat(world.plan().release()).hasSize(2);
  }
}
