package dev.stint.engine;

import static dev.stint.engine.TestJobs.annotated;
import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.engine.pod.PodView;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.options.JobOptions;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Counted pods that a Job does not keep go while it runs, and before it ends. */
class KeptPodsTest {
  private static EngineWorld world(String keeps, String spec) {
    return new EngineWorld(annotated(job(spec), JobOptions.KEEP_PODS, keeps)).settle();
  }

  private static long finished(EngineWorld world) {
    return world.pods.values().stream().filter(PodView::hasStopped).count();
  }

  @Test
  void countedPodsGoWhileTheJobRuns() {
    EngineWorld world =
        world("none", "{'completionMode':'Indexed','completions':3,'parallelism':1}");
    world.succeed(0);
    assertThat(finished(world)).isZero();
    world.succeed(1).succeed(2);
    assertThat(world.pods).isEmpty();
    assertThat(world.status.completedIndexes()).hasToString("0-2");
    assertThat(world.status.isFinished()).isTrue();
  }

  @Test
  void noPodGoesBeforeItIsCounted() {
    EngineWorld world = world("none", "{'completions':2,'parallelism':1}");
    PodView pod = world.pods.values().iterator().next();
    world.finish(pod.uid(), PodPhase.Succeeded);
    while (world.pods.containsKey(pod.uid())) {
      assertThat(world.sync()).isTrue();
    }
    assertThat(world.status.succeeded()).isEqualTo(1);
    assertThat(world.status.uncounted()).isEqualTo(JobStatus.Uncounted.NONE);
  }

  @Test
  void failuresStayUntilNothingIsDelayedByThem() {
    EngineWorld world = world("none", "{'completions':1,'parallelism':1,'backoffLimit':6}");
    world.fail(PodView.NO_INDEX, 1);
    assertThat(finished(world)).isEqualTo(1); // A restarted controller finds the delay.
    world.pass(Duration.ofSeconds(10)).succeed(PodView.NO_INDEX);
    assertThat(world.pods).isEmpty();
    assertThat(world.status.failed()).isEqualTo(1);
  }

  @Test
  void failedPodsStay() {
    EngineWorld world =
        world(
            "failed",
            "{'completionMode':'Indexed','completions':2,'parallelism':2,'backoffLimitPerIndex':1}");
    world.fail(1, 3);
    world.pass(Duration.ofSeconds(10)).succeed(0).succeed(1);
    assertThat(world.status.isFinished()).isTrue();
    assertThat(world.pods.values())
        .singleElement()
        .extracting(PodView::phase)
        .isEqualTo(PodPhase.Failed);
  }

  @Test
  void aFailureGoesOnceASuccessHasEndedItsBackoff() {
    EngineWorld world = world("none", "{'completions':3,'parallelism':1}");
    world.fail(PodView.NO_INDEX, 1).pass(Duration.ofSeconds(10)).succeed(PodView.NO_INDEX);
    assertThat(finished(world)).isZero();
    assertThat(world.status.isFinished()).isFalse();
  }

  /** A restarted controller would count the failures that stay as one series. */
  @Test
  void theLastSuccessStaysAsLongAsFailuresBeforeIt() {
    EngineWorld world = world("failed", "{'completions':6,'parallelism':1,'backoffLimit':20}");
    for (int i = 0; i < 5; i++) {
      world.pass(Duration.ofSeconds(1)).fail(PodView.NO_INDEX, 1);
      assertThat(world.ledger().backedOffUntil()).isEqualTo(world.now.plusSeconds(10));
      world.pass(Duration.ofSeconds(10)).succeed(PodView.NO_INDEX);
    }
    assertThat(finished(world)).as("five failures and a success").isEqualTo(6);
    world.succeed(PodView.NO_INDEX);
    assertThat(world.status.isFinished()).isTrue();
    assertThat(world.pods.values()).extracting(PodView::phase).containsOnly(PodPhase.Failed);
  }

  @Test
  void aSuccessInTheSecondOfAFailureStaysWithIt() {
    EngineWorld world = world("failed", "{'completions':9,'parallelism':2,'backoffLimit':20}");
    List<PodView> both = List.copyOf(world.pods.values());
    world.finish(both.getFirst().uid(), PodPhase.Failed);
    world.finish(both.getLast().uid(), PodPhase.Succeeded);
    world.settle();
    assertThat(world.ledger().backedOffUntil()).isNull();
    assertThat(finished(world)).isEqualTo(2);
  }

  @Test
  void aPodThatRunsStaysThoughItHasNoFinalizer() {
    EngineWorld world = world("none", "{'completions':1,'parallelism':1}");
    world.pods.replaceAll(
        (_, pod) -> world.edit(pod, PodPhase.Running, false, false, true, List.of()));
    assertThat(world.plan().release()).isEmpty();
  }

  @Test
  void theJobEndsOnceAllHaveGone() {
    EngineWorld world = world("none", "{'completions':3,'parallelism':3}");
    world.options = new EngineOptions(world.options.backoff(), 500, 1);
    world.pods.keySet().forEach(uid -> world.finish(uid, PodPhase.Succeeded));
    world.settle();
    assertThat(world.pods).isEmpty();
    assertThat(world.status.isFinished()).isTrue();
  }

  @Test
  void thePodsOfAJobThatFailsGoToo() {
    EngineWorld world = world("none", "{'completions':1,'parallelism':1,'backoffLimit':0}");
    world.fail(PodView.NO_INDEX, 1);
    assertThat(world.pods).isEmpty();
    assertThat(world.status.isTrue("Failed")).isTrue();
  }

  /** They are the only record of what has been done. */
  @Test
  void podsOfAJobWithoutFinalizersStay() {
    EngineWorld world =
        new EngineWorld(
            annotated(job("{'completions':2,'parallelism':1}"), JobOptions.KEEP_PODS, "none"));
    world.gates = world.gates.with(Gate.JobTrackingWithoutLingeringPods, false);
    world.settle().succeed(PodView.NO_INDEX);
    assertThat(finished(world)).isOne();
  }
}
