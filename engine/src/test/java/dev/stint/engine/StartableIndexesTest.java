package dev.stint.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.engine.pod.PodView;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.after.After;
import dev.stint.model.job.after.AfterProgress;
import dev.stint.model.job.options.JobOptions;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

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
    ObjectNode tree = Json.object();
    ObjectNode annotations = tree.putObject("metadata").putObject("annotations");
    annotations.put(After.ANNOTATION, "shards=index");
    if (!ready.isEmpty()) {
      annotations.put(AfterProgress.READY, ready);
    }
    JobView job = TestJobs.job(spec);
    JobOptions options = JobOptions.of(KubeObject.of(tree));
    return new EngineWorld(
            new JobView(
                job.uid(), job.namespace(), job.name(), job.deleting(), job.spec(), options))
        .settle();
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
