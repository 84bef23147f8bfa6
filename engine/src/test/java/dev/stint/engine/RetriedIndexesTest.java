package dev.stint.engine;

import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which indexes are tried again once their back-off has passed, and what their pods say. */
class RetriedIndexesTest {
  private static final Duration DELAY = Duration.ofMinutes(1);

  private static JobView spec(int completions, int parallelism) {
    return job(
        "{'completionMode':'Indexed','completions':%d,'parallelism':%d,'backoffLimitPerIndex':1}"
            .formatted(completions, parallelism));
  }

  private static EngineWorld world(int completions) {
    return new EngineWorld(spec(completions, completions)).settle();
  }

  /** Lets another pod of an index fail. */
  private static EngineWorld failAnother(EngineWorld world, int index) {
    String uid = "pod-" + world.created;
    world.create(new PodPlan(index, 0, 0));
    world.finish(uid, PodPhase.Failed);
    return world.settle();
  }

  /** Returns the indexes that get another pod once all back-offs have passed. */
  private static List<Integer> triedAgain(EngineWorld world) {
    world.now = world.now.plus(DELAY);
    return world.plan().create().stream().map(PodPlan::index).toList();
  }

  @Test
  void asManyAsTheParallelismAllows() {
    EngineWorld world = world(3);
    for (int index = 0; index < 3; index++) {
      world.failQuietly(index, 1);
    }
    world.settle().job = spec(3, 1);
    assertThat(triedAgain(world)).containsExactly(0);
  }

  @Test
  void noneThatTheJobNoLongerHas() {
    EngineWorld world = world(3).fail(2, 1).pass(Duration.ofSeconds(1));
    world.job = spec(2, 2);
    world.failQuietly(1, 1);
    assertThat(triedAgain(world.settle())).containsExactly(1);
  }

  /** The pods of an index that is gone are held by nothing, and its failures are forgotten. */
  @Test
  void anIndexThatTheJobGetsBackBeginsAnew() {
    EngineWorld world = failAnother(world(3).fail(2, 1), 2).pass(Duration.ofSeconds(1));
    assertThat(world.plan().isIdle()).isTrue();
    world.job = spec(2, 2);
    assertThat(world.plan().untrack())
        .extracting(PodView::uid)
        .containsExactlyInAnyOrder("pod-2", "pod-3");
    world.settle().job = spec(3, 3);
    assertThat(world.status.failed()).isZero();
    assertThat(world.plan().create())
        .singleElement()
        .matches(pod -> pod.index() == 2 && pod.failureCount() == 0);
  }

  @Test
  void noMorePodsAreLetGoAtATimeThanAreCounted() {
    EngineWorld world = failAnother(world(3).fail(2, 1), 2);
    world.options = new EngineOptions(world.options.backoff(), 1, 500);
    world.job = spec(2, 2);
    assertThat(world.plan().untrack()).hasSize(1);
    assertThat(world.settle().pods.values()).filteredOn(PodView::tracked).hasSize(2);
  }

  @Test
  @Covers("BI-20")
  void noneThatHasSucceededOrFailed() {
    EngineWorld world = world(3).succeed(0).fail(1, 1).pass(DELAY).fail(1, 1);
    failAnother(failAnother(world, 0), 1);
    world.fail(2, 1);
    assertThat(triedAgain(world)).containsExactly(2);
    assertThat(world.status.completedIndexes()).hasToString("0");
    assertThat(world.status.failedIndexes()).hasToString("1");
  }

  /** An index has a pod of an earlier attempt, and there is room, since another one waits. */
  @Test
  void noneThatRuns() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':2,'parallelism':2,"
                        + "'backoffLimitPerIndex':5}"))
            .settle();
    world.create(new PodPlan(0, 1, 0));
    world.finish("pod-2", PodPhase.Failed); // Due after 20 seconds.
    world.now = world.now.plusSeconds(15);
    world.failQuietly(1, 1);
    world.now = world.now.plusSeconds(5);
    assertThat(world.plan().create()).isEmpty();
    world.finish("pod-0", PodPhase.Failed);
    assertThat(world.plan().create()).extracting(PodPlan::failureCount).containsExactly(2);
  }

  @Test
  @Covers("BI-16")
  void onlyPodsOfLimitedIndexesCountTheirFailures() {
    EngineWorld world = new EngineWorld(spec(1, 1));
    assertThat(world.plan().create()).extracting(PodPlan::failureCount).containsExactly(0);
    for (String more : List.of("", ",'completionMode':'Indexed'")) {
      EngineWorld other = new EngineWorld(job("{'completions':1" + more + "}"));
      assertThat(other.plan().create())
          .extracting(PodPlan::failureCount)
          .containsExactly(PodPlan.NOT_COUNTED);
    }
    world.settle().fail(0, 1).pass(DELAY);
    assertThat(world.pods.values())
        .filteredOn(PodView::isActive)
        .extracting(PodView::failureCount)
        .containsExactly(1);
  }
}
