package dev.stint.engine;

import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.model.pod.PodPhase;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** The gate of KEP-2307 is turned off and on while Jobs run. */
class LegacyTrackingTest {
  private static final String INDEXED =
      "{'completionMode':'Indexed','completions':3,'parallelism':3}";

  private static EngineWorld switched(EngineWorld world, boolean on) {
    world.gates = world.gates.with(Gate.JobTrackingWithoutLingeringPods, on);
    return world.settle();
  }

  private static void assertComplete(EngineWorld world) {
    assertThat(world.status.conditions())
        .extracting(JobCondition::type)
        .containsExactly(JobCondition.LEGACY_TRACKING, "SuccessCriteriaMet", "Complete");
    assertThat(world.anyTracked()).isFalse();
  }

  @Test
  @Covers("TR-33")
  void withTheGateOffPodsHaveNoFinalizerAndThoseThatLingerCount() {
    EngineWorld world = switched(new EngineWorld(job(INDEXED)), false);
    assertThat(world.pods.values()).hasSize(3).noneMatch(PodView::tracked);
    world.succeed(0).succeed(1);
    assertThat(world.status.uncounted()).isNull();
    assertThat(world.status.completedIndexes()).hasToString("0,1");
    world.succeed(2);
    assertThat(world.status.succeeded()).isEqualTo(3);
    assertComplete(world);
  }

  @Test
  @Covers({"TR-35", "TR-40"})
  void switchedOffTheFinalizersComeOffBeforeTheListsGo() {
    EngineWorld world = new EngineWorld(job(INDEXED)).settle();
    assertThat(world.status.uncounted()).isNotNull();
    world.gates = world.gates.with(Gate.JobTrackingWithoutLingeringPods, false);
    for (int i = 0; world.anyTracked(); i++) {
      assertThat(world.status.uncounted()).isNotNull();
      assertThat(i).isLessThan(10);
      world.sync();
    }
    world.settle();
    assertThat(world.status.uncounted()).isNull();
    assertThat(world.created).isEqualTo(3);
  }

  @Test
  @Covers({"TR-36", "TR-03"})
  void workOfPodsThatWereCountedAndRemovedIsDoneAgain() {
    EngineWorld world =
        new EngineWorld(job("{'completions':2,'parallelism':1}")).settle().succeed(-1);
    assertThat(world.status.succeeded()).isEqualTo(1);
    world.collectStoppedPods();
    switched(world, false);
    world.succeed(-1);
    assertThat(world.status.isTrue("SuccessCriteriaMet")).isFalse();
    world.succeed(-1);
    assertThat(world.created).isEqualTo(3);
    assertThat(world.status.succeeded()).isEqualTo(2);
    assertComplete(world);
  }

  @Test
  @Covers({"TR-34", "TR-37", "TR-43"})
  void switchedOnAgainAJobIsCountedAsBeforeToItsEndAndALaterOneIsTracked() {
    EngineWorld world = switched(switched(new EngineWorld(job(INDEXED)).settle(), false), true);
    assertThat(world.anyTracked()).isFalse();
    world.succeed(0).succeed(1).succeed(2);
    assertThat(world.created).isEqualTo(3);
    assertThat(world.status.uncounted()).isNull();
    assertComplete(world);
    EngineWorld later = new EngineWorld(job(INDEXED));
    later.gates = world.gates;
    assertThat(later.settle().pods.values()).hasSize(3).allMatch(PodView::tracked);
  }

  @Test
  @Covers("TR-03")
  void aConditionOfSomebodyElseLeavesANewJobTracked() {
    EngineWorld world = new EngineWorld(job(INDEXED));
    world.status =
        JobStatus.EMPTY.with(JobCondition.of("example.com/Admitted", "Queued", "", world.now));
    assertThat(world.settle().pods.values()).hasSize(3).allMatch(PodView::tracked);
    assertThat(world.status.uncounted()).isEqualTo(JobStatus.Uncounted.NONE);
  }

  /** A client that does not know the lists has written the status. */
  @Test
  @Covers({"TR-03", "TR-20", "TR-23"})
  void workThatIsCountedStaysDoneThoughTheListsAreTakenFromTheStatus() {
    EngineWorld world = new EngineWorld(job(INDEXED)).settle().succeed(0).succeed(1);
    world.collectStoppedPods();
    ObjectNode written = world.status.write();
    written.remove("uncountedTerminatedPods");
    world.status = JobStatus.read(written);
    assertThat(world.settle().pods.values()).hasSize(1).allMatch(PodView::tracked);
    world.succeed(2);
    assertThat(world.created).isEqualTo(3);
    assertThat(world.status.isTrue("Complete")).isTrue();
  }

  /** The copy of a Job that is counted this way may have given it the condition. */
  @Test
  void listsInTheStatusMeanThatAJobIsTracked() {
    EngineWorld world = new EngineWorld(job(INDEXED)).settle();
    world.status = world.status.with(LegacyTracking.mark(world.now));
    assertThat(world.settle().pods.values()).hasSize(3).allMatch(PodView::tracked);
  }

  @Test
  @Covers("TR-05")
  void anIndexedJobIsTrackedLikeAnyOtherFromItsCreationOn() {
    EngineWorld world = new EngineWorld(job(INDEXED)).settle();
    assertThat(world.status.uncounted()).isNotNull();
    assertThat(world.pods.values()).hasSize(3).allMatch(PodView::tracked);
  }

  @Test
  void aFailureStopsRunningPodsAndIsReported() {
    EngineWorld world =
        switched(new EngineWorld(job("{'completions':2,'parallelism':2,'backoffLimit':0}")), false);
    String one = world.pods.keySet().iterator().next();
    world.finish(one, PodPhase.Failed);
    world.settle();
    assertThat(world.status.failed()).isEqualTo(1);
    assertThat(world.pods).hasSize(1);
    assertThat(world.status.conditions())
        .extracting(JobCondition::type)
        .containsExactly(JobCondition.LEGACY_TRACKING, "FailureTarget", "Failed");
  }

  @Test
  @Covers("TR-33")
  void podsAreCreatedWithoutAFinalizer() {
    EngineWorld world = new EngineWorld(job(INDEXED));
    world.gates = world.gates.with(Gate.JobTrackingWithoutLingeringPods, false);
    assertThat(world.plan().create()).hasSize(3).noneMatch(PodPlan::tracked);
  }

  @Test
  @Covers("TR-37")
  void aSuspendedJobStaysWithoutFinalizersToo() {
    String spec = "{'completions':1,'parallelism':1,'suspend':%b}";
    EngineWorld world = switched(new EngineWorld(job(spec.formatted(true))), false);
    switched(world, true).job = job(spec.formatted(false));
    assertThat(world.settle().pods.values()).hasSize(1).noneMatch(PodView::tracked);
  }

  @Test
  void anIndexCountsOnceAndOnlyIfTheJobHasIt() {
    EngineWorld world = switched(new EngineWorld(job(INDEXED)), false);
    for (int index : new int[] {0, 3, PodView.NO_INDEX}) {
      world.create(new PodPlan(index, 0, 0, false, List.of()));
    }
    for (String uid : List.of("pod-0", "pod-3", "pod-4", "pod-5")) {
      world.finish(uid, PodPhase.Succeeded);
    }
    world.settle();
    assertThat(world.status.completedIndexes()).hasToString("0");
    assertThat(world.status.succeeded()).isOne();
    assertThat(world.status.isTrue("SuccessCriteriaMet")).isFalse();
  }

  @Test
  @Covers("TR-36")
  void theCountAgreesWithTheIndexesThoughAPodIsRemoved() {
    EngineWorld world = switched(new EngineWorld(job(INDEXED)), false).succeed(0);
    world.collectStoppedPods();
    world.settle().succeed(1);
    assertThat(world.status.completedIndexes()).hasToString("0,1");
    assertThat(world.status.succeeded()).isEqualTo(2);
  }

  /** Pods that run have to be released, and those from before the switch to lose finalizers. */
  @ParameterizedTest
  @CsvSource({"false, 1", "true, 3"})
  void theJobEndsOnceNothingRemainsToBeDone(boolean tracked, int failed) {
    EngineWorld world = new EngineWorld(job("{'completions':4,'parallelism':4,'backoffLimit':0}"));
    switched(world, tracked).options = new EngineOptions(world.options.backoff(), 500, 1);
    world.gates = world.gates.with(Gate.JobTrackingWithoutLingeringPods, false);
    for (int i = 0; i < failed; i++) {
      world.finish("pod-" + i, PodPhase.Failed);
    }
    while (!world.status.isFinished()) {
      assertThat(world.sync()).isTrue();
    }
    assertThat(world.activeIndexes()).isEmpty();
    assertThat(world.anyTracked()).isFalse();
  }
}
