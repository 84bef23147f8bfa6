package dev.stint.engine;

import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.engine.pod.PodView;
import dev.stint.model.pod.PodPhase;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which pods a Job does not need, though they run. */
class StrayPodsTest {
  private static EngineWorld world(int completions, String more) {
    return new EngineWorld(spec(completions, 3, more)).settle();
  }

  private static JobView spec(int completions, int parallelism, String more) {
    return job(
        "{'completionMode':'Indexed','completions':%d,'parallelism':%d%s}"
            .formatted(completions, parallelism, more));
  }

  private static void assertReleased(EngineWorld world, String... uids) {
    Plan plan = world.plan();
    assertThat(plan.release()).extracting(PodView::uid).containsExactly(uids);
    assertThat(plan.urgency()).isEqualTo(Plan.Urgency.NOW);
  }

  @Test
  void aPodWithoutAnIndexGoes() {
    EngineWorld world = world(3, "").succeed(1);
    world.create(new PodPlan(PodView.NO_INDEX, 0, 0));
    assertReleased(world, "pod-3");
    world.settle();
    assertThat(world.activeIndexes()).containsExactly(0, 2);
  }

  @Test
  void theNewerPodOfAnIndexGoes() {
    EngineWorld world = world(3, "").succeed(1);
    world.now = world.now.plusSeconds(1);
    world.create(new PodPlan(0, 0, 0));
    world.finish("pod-3", PodPhase.Running);
    assertReleased(world, "pod-3");
  }

  @Test
  void theIndexThatTheJobNoLongerHasGoesThoughItsPodHasComeFarthest() {
    EngineWorld world = world(3, "");
    world.run(2);
    world.job = spec(2, 2, "");
    assertReleased(world, "pod-2");
  }

  @Test
  void anotherPodOfAnIndexThatHasFailedGoes() {
    EngineWorld world = world(3, ",'backoffLimitPerIndex':0").fail(1, 1);
    world.create(new PodPlan(1, 0, 0));
    assertReleased(world, "pod-3");
  }

  @Test
  void otherPodsBeyondTheParallelismGoToo() {
    EngineWorld world = world(3, "");
    world.run(0);
    world.run(1);
    world.job = spec(2, 1, "");
    assertReleased(world, "pod-2", "pod-1");
    world.options = new EngineOptions(world.options.backoff(), 500, 1);
    assertReleased(world, "pod-2");
  }

  @Test
  void noMoreGoAtOnceThanAPlanMayChange() {
    EngineWorld world = world(3, "");
    world.job = spec(1, 1, "");
    world.options = new EngineOptions(world.options.backoff(), 500, 1);
    assertThat(world.plan().release()).hasSize(1);
  }

  /** A pod has come farther that has a node, then one that runs, is ready, or is older. */
  @Test
  void thePodsGoThatHaveComeLeastFar() {
    String spec = "{'completions':9,'parallelism':%d}";
    EngineWorld world = new EngineWorld(job(spec.formatted(6))).settle();
    world.finish("pod-3", PodPhase.Running);
    world.finish("pod-3", PodPhase.Pending);
    world.finish("pod-4", PodPhase.Running);
    world.pods.computeIfPresent(
        "pod-5", (_, pod) -> world.edit(pod, PodPhase.Running, true, false, true, List.of()));
    world.created = 10;
    world.now = world.now.plusSeconds(1);
    world.create(new PodPlan(PodView.NO_INDEX, 0, 0));
    world.job = job(spec.formatted(1));
    assertReleased(world, "pod-10", "pod-2", "pod-1", "pod-0", "pod-3", "pod-4");
  }
}
