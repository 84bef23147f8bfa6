package dev.stint.engine;

import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.engine.pod.PodView;
import dev.stint.model.pod.PodPhase;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pods that an Indexed Job does not need, though it has no more pods than its parallelism. */
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

  /** Those that have made least progress go. */
  @Test
  void ofPodsWithoutFaultsTheLeastAdvancedGo() {
    EngineWorld world = world(3, "");
    world.run(0);
    world.run(1);
    world.pods.computeIfPresent(
        "pod-0", (_, pod) -> world.edit(pod, PodPhase.Running, true, false, false, List.of()));
    world.job = spec(3, 2, "");
    assertReleased(world, "pod-2");
    world.job = spec(3, 1, "");
    assertReleased(world, "pod-2", "pod-0");
  }
}
