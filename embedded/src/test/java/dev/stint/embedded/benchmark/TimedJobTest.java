package dev.stint.embedded.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.runner.spec.Taints;
import dev.stint.runner.spec.Tolerations;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class TimedJobTest {
  private final TestWorld world = new TestWorld();
  private final TimedJob job =
      new TimedJob(
          "bench-0", JobRunOptions.of(1), new Latencies(), new Latencies(), new Latencies());

  @Test
  void itsPodsTolerateTheTaintOfTheNode() {
    KubeObject created = world.answer(job.create(world.api, "bench"));
    ObjectNode pod = (ObjectNode) created.tree().at("/spec/template").deepCopy();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    KubeObject node =
        world.add(
            new ObjectRef(Kind.NODE, "", "bench"),
            "",
            "'spec':{'taints':[{'key':'stint.dev/bench','effect':'NoSchedule'}]}");
    assertThat(Taints.hasAny(node)).isTrue();
    assertThat(Taints.obstacle(node, Tolerations.of(KubeObject.of(pod)))).isNull();
  }

  @Test
  void aDeletionWaitsForTheCreation() {
    CompletableFuture<KubeObject> creation = job.create(world.api, "bench");
    CompletableFuture<?> deletion = job.delete(world.api);
    world.settle();
    assertThat(creation).isCompleted();
    assertThat(deletion).isCompleted();
    assertThat(world.exists(TestWorld.job("bench-0"))).isFalse();
  }

  @Test
  void aDeletedJobIsNotCreated() {
    assertThat(job.delete(world.api)).isCompleted();
    CompletableFuture<KubeObject> creation = job.create(world.api, "bench");
    world.settle();
    assertThat(creation.exceptionNow()).isInstanceOf(StoppedException.class);
    assertThat(world.api.requests).isEmpty();
  }
}
