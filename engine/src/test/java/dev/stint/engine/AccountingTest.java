package dev.stint.engine;

import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobStatus;
import dev.stint.model.pod.PodPhase;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Finished pods count, whatever becomes of them and of their Job meanwhile. */
class AccountingTest {
  private static final String INDEXED = "'completionMode':'Indexed',";

  private static EngineWorld world(int pods, String more) {
    EngineWorld world = new EngineWorld(spec(pods, more));
    world.deletedPodsVanish = false;
    return world.settle();
  }

  private static JobView spec(int pods, String more) {
    return job("{'completions':" + pods + ",'parallelism':" + pods + "," + more + "}");
  }

  /** True if the next status fails the Job. */
  private static boolean fails(EngineWorld world) {
    JobStatus next = world.plan().status();
    return next != null && next.isTrue("FailureTarget");
  }

  private static void succeedLate(EngineWorld world, String uid) {
    world.pods.computeIfPresent(
        uid, (_, pod) -> world.edit(pod, PodPhase.Succeeded, true, true, false, List.of()));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 2})
  void aPodOfAnIndexThatTheJobDoesNotHaveCountsForNothing(int index) {
    for (PodPhase end : List.of(PodPhase.Succeeded, PodPhase.Failed)) {
      for (String limit : List.of("'backoffLimit':0", "'backoffLimitPerIndex':0")) {
        EngineWorld world = world(2, INDEXED + limit);
        world.create(new PodPlan(index, 0, 0));
        world.finish("pod-2", end);
        world.settle();
        assertThat(world.statuses)
            .allSatisfy(status -> {
              assertThat(status.conditions()).isEmpty();
              assertThat(status.completedIndexes()).isEqualTo(IndexSet.EMPTY);
              assertThat(status.failedIndexes()).isIn(null, IndexSet.EMPTY);
              assertThat(status.failed()).isZero();
            });
        assertThat(world.pods.get("pod-2")).extracting(PodView::tracked).isEqualTo(false);
      }
    }
  }

  @Test
  void aPodWithoutAnIndexIsNotTriedAgain() {
    EngineWorld world = world(1, INDEXED + "'backoffLimitPerIndex':1");
    world.create(new PodPlan(PodView.NO_INDEX, 0, 0));
    world.finish("pod-1", PodPhase.Failed);
    world.settle();
    assertThat(world.pods.get("pod-1")).extracting(PodView::tracked).isEqualTo(false);
    assertThat(world.again).isNull();
  }

  @Test
  void aPodWithoutAnIndexDelaysNoOther() {
    EngineWorld world = world(1, INDEXED + "'backoffLimit':6");
    world.create(new PodPlan(PodView.NO_INDEX, 0, 0));
    world.finish("pod-1", PodPhase.Failed);
    world.finish("pod-0", PodPhase.Running);
    world.job = spec(2, INDEXED + "'backoffLimit':6");
    world.settle();
    assertThat(world.activeIndexes()).containsExactly(0, 1);
  }

  @Test
  void aListedFailureDoesNotFailAnIndexThatTheJobNoLongerHas() {
    EngineWorld world = world(3, INDEXED + "'backoffLimitPerIndex':0");
    world.failQuietly(2, 1);
    world.syncAndDieAfter(1);
    assertThat(world.status.failedIndexes()).isEqualTo(IndexSet.of(2));
    world.job = spec(2, INDEXED + "'backoffLimitPerIndex':0");
    assertThat(world.plan().status())
        .extracting(JobStatus::failedIndexes)
        .isEqualTo(IndexSet.EMPTY);
    assertThat(world.settle().status.failed()).isOne();
  }

  @Test
  void aListedFailureCountsOnceThoughTheJobNoLongerHasItsIndex() {
    EngineWorld world = world(3, INDEXED + "'backoffLimit':1");
    world.failQuietly(2, 1);
    world.syncAndDieAfter(1);
    assertThat(fails(world)).isFalse();
    world.job = spec(2, INDEXED + "'backoffLimit':1");
    assertThat(fails(world)).isFalse();
    world.failQuietly(0, 1);
    assertThat(fails(world)).isTrue();
  }

  @Test
  @Covers("BI-20")
  void anotherPodOfAnIndexThatHasSucceededCountsAndDoesNotFailTheIndex() {
    EngineWorld world = world(2, INDEXED + "'backoffLimitPerIndex':0").succeed(0);
    world.create(new PodPlan(0, 0, 0));
    world.finish("pod-2", PodPhase.Failed);
    world.settle();
    assertThat(world.status.completedIndexes()).isEqualTo(IndexSet.of(0));
    assertThat(world.status.failedIndexes()).isEqualTo(IndexSet.EMPTY);
    assertThat(world.status.failed()).isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", INDEXED})
  void failuresForWhichTheListHasNoRoomCountToo(String mode) {
    EngineWorld world = world(3, mode + "'backoffLimit':1");
    world.options = new EngineOptions(world.options.backoff(), 1, 500);
    world.finish("pod-0", PodPhase.Failed);
    assertThat(fails(world)).isFalse();
    world.finish("pod-1", PodPhase.Failed);
    assertThat(fails(world)).isTrue();
  }

  @Test
  @Covers("TR-12")
  void aPodThatSucceedsAfterItWasListedAsFailedIsOneFailure() {
    EngineWorld world = world(3, "'backoffLimit':1");
    world.delete("pod-0");
    world.syncAndDieAfter(2);
    succeedLate(world, "pod-0");
    assertThat(fails(world)).isFalse();
    world.finish("pod-1", PodPhase.Failed);
    assertThat(fails(world)).isTrue();
  }

  @Test
  void onlyOtherSuccessesCountBesideOneThatWasListedAsAFailure() {
    EngineWorld world = world(3, INDEXED + "'backoffLimit':6");
    world.options = new EngineOptions(world.options.backoff(), 1, 500);
    world.delete("pod-0");
    world.syncAndDieAfter(2);
    succeedLate(world, "pod-0");
    world.finish("pod-1", PodPhase.Succeeded);
    world.create(new PodPlan(3, 0, 0));
    world.finish("pod-4", PodPhase.Succeeded);
    Accounting round =
        Accounting.round(world.job.spec(), false, world.ledger(), world.status, world.options);
    assertThat(round.allSucceededIndexes()).isEqualTo(IndexSet.of(1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Covers("TR-12")
  void aListedSuccessIsNoFailureOfAJobThatFails(boolean ignored) {
    String rules =
        ",'podFailurePolicy':{'rules':[{'action':'Ignore','onPodConditions':"
            + "[{'type':'DisruptionTarget','status':'True'}]}]}";
    EngineWorld world = world(3, "'backoffLimit':0" + (ignored ? rules : ""));
    world.finish("pod-0", PodPhase.Succeeded);
    world.syncAndDieAfter(1);
    world.finish("pod-0", PodPhase.Failed);
    world.pods.computeIfPresent("pod-0", (_, pod) -> EngineWorld.disrupted(pod));
    world.finish("pod-1", PodPhase.Failed);
    assertThat(fails(world)).isTrue();
    world.settle();
    assertThat(world.status.succeeded()).isOne();
    assertThat(world.status.failed()).isEqualTo(2);
  }

  @Test
  @Covers({"TR-21", "TR-24"})
  void aJobThatFailsDeletesThePodsThatRunAndNoOthers() {
    EngineWorld world =
        world(
            3,
            INDEXED
                + "'backoffLimitPerIndex':1,'maxFailedIndexes':0,'podFailurePolicy':{'rules':"
                + "[{'action':'FailIndex','onExitCodes':{'operator':'In','values':[42]}}]}");
    world.fail(0, 1); // It waits for its next attempt.
    world.failQuietly(1, 42);
    assertThat(world.plan().release()).extracting(PodView::index).containsExactly(2);
    assertThat(world.plan().untrack()).extracting(PodView::index).containsExactly(1, 0);
  }

  @Test
  void aPodThatLostItsFinalizerIsDeletedTooWhenTheJobFails() {
    EngineWorld world = world(2, "'backoffLimit':0");
    world.pods.computeIfPresent(
        "pod-1", (_, pod) -> world.edit(pod, PodPhase.Running, false, false, true, List.of()));
    world.finish("pod-0", PodPhase.Failed);
    assertThat(world.plan().release()).extracting(PodView::uid).containsExactly("pod-1");
  }
}
