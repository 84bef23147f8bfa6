package dev.stint.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.engine.pod.PodView;
import dev.stint.model.job.after.After;
import dev.stint.model.job.after.AfterProgress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes that may not start yet, since the same index of another Job is not complete. */
class StartableIndexesTest {
  private static List<Integer> active(EngineWorld world) {
    return world.pods.values().stream()
        .filter(PodView::isActive)
        .map(PodView::index)
        .sorted()
        .toList();
  }

  /**
   * @param ready the indexes that may start; empty if the annotation is missing
   */
  private static EngineWorld world(String spec, String ready) {
    return new EngineWorld(waiting(spec, ready)).settle();
  }

  private static JobView waiting(String spec, String ready) {
    return ready.isEmpty()
        ? TestJobs.asking(spec, After.ANNOTATION, "shards=index")
        : TestJobs.asking(spec, After.ANNOTATION, "shards=index", AfterProgress.READY, ready);
  }

  @Test
  void moreReadyIndexesDoNotChangeTheTally() {
    String spec = "{'completionMode':'Indexed','completions':6,'parallelism':3}";
    EngineWorld world = world(spec, "1");
    assertThat(rules(world, waiting(spec, "1,4"))).isEqualTo(rules(world, world.job));
    world.job = waiting(spec, "1,4");
    assertThat(active(world.settle())).containsExactly(1, 4);
  }

  private static Ledger.Rules rules(EngineWorld world, JobView job) {
    return Ledger.Rules.of(job, world.gates, world.options.backoff());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",'backoffLimitPerIndex':1"})
  void onlyReadyIndexesGetPods(String perIndex) {
    String spec = "{'completionMode':'Indexed','completions':6,'parallelism':3" + perIndex + "}";
    assertThat(active(world(spec, ""))).isEmpty();
    EngineWorld some = world(spec, "1,4-5");
    assertThat(active(some)).containsExactly(1, 4, 5);
    some.succeed(1).succeed(4).succeed(5);
    assertThat(active(some)).isEmpty();
    assertThat(some.status.completedIndexes()).hasToString("1,4,5");
    assertThat(some.status.isFinished()).isFalse();
  }
}
