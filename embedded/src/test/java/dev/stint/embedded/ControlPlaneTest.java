package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.UpdateTarget;
import dev.stint.apiserver.outcome.Preconditions;
import dev.stint.apiserver.patch.MergePatch;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.covers.Covers;
import dev.stint.harness.JobBuilder;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.store.engine.SimulatedEngine;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ControlPlaneTest {
  @Test
  @Covers({"TR-42", "SP-59"})
  void anIndexedJobRunsFromCreationToComplete() throws Exception {
    try (ControlPlane plane =
        new ControlPlane(new SimulatedEngine(), ControlPlaneOptions.DEFAULT)) {
      plane.start(instant(plane)).get(60, TimeUnit.SECONDS);
      KubeObject job =
          run(plane.cluster(), "'completionMode':'Indexed','completions':50,'parallelism':10");
      JobStatus status = JobStatus.read(job.status());
      assertThat(status.isTrue("Complete")).isTrue();
      assertThat(status.completedIndexes()).hasToString("0-49");
      for (KubeObject pod : plane.cluster().list(Kind.POD, "default").get().items()) {
        assertThat(pod.finalizers()).isEmpty();
        assertThat(Json.text(pod.status(), "phase")).isEqualTo("Succeeded");
      }
    }
  }

  @Test
  void aDecisionIsMadeAgainInAThreadOfItsOwn() throws Exception {
    try (ControlPlane plane =
        new ControlPlane(new SimulatedEngine(), ControlPlaneOptions.DEFAULT)) {
      ObjectRef ref = new ObjectRef(Kind.CONFIG_MAP, "default", "shared");
      plane.cluster().create(KubeObject.of(configMap(ref.name()))).get();
      List<Thread> deciding = new CopyOnWriteArrayList<>();
      UnaryOperator<ObjectNode> change =
          before -> {
            if (deciding.isEmpty()) {
              plane.cluster().patch(ref, label("faster")).join();
            }
            deciding.add(Thread.currentThread());
            return MergePatch.apply(before, label("slower"));
          };
      KubeObject last =
          plane
              .api()
              .registry()
              .update(UpdateTarget.MAIN, ref, Preconditions.NONE, change, WriteOptions.PLAIN)
              .get(60, TimeUnit.SECONDS);
      assertThat(last.labels()).containsOnlyKeys("faster", "slower");
      assertThat(deciding).hasSize(2);
      assertThat(deciding.getLast().isVirtual()).isTrue();
    }
  }

  private static ObjectNode configMap(String name) {
    ObjectNode map = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
    map.putObject("metadata").put("name", name);
    return map;
  }

  private static ObjectNode label(String name) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").putObject("labels").put(name, "");
    return patch;
  }

  private static SimulatedRuntime instant(ControlPlane plane) {
    return new SimulatedRuntime(
        (pod, random) -> new SimulatedRuntime.Outcome(Duration.ZERO, 0),
        new Random(1),
        plane.clock(),
        plane.timers());
  }

  private static KubeObject run(Cluster cluster, String spec) throws Exception {
    CompletableFuture<KubeObject> finished = new CompletableFuture<>();
    String revision = cluster.list(Kind.JOB, null).get().resourceVersion();
    cluster.watch(
        Kind.JOB,
        null,
        revision,
        new WatchHandler() {
          @Override
          public void onEvent(WatchEvent event) {
            if (JobStatus.read(event.object().status()).isFinished()) {
              finished.complete(event.object());
            }
          }

          @Override
          public void onClosed(@Nullable ClusterException cause) {}
        });
    cluster.create(JobBuilder.named("j").spec(spec).build()).get();
    return finished.get(60, TimeUnit.SECONDS);
  }
}
