package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.covers.Covers;
import dev.stint.harness.JobBuilder;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.store.engine.SimulatedEngine;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each controller works without the others. */
class ControllersApartTest {
  private static KubeObject object(String json) {
    return KubeObject.of(Json.parse(json.replace('\'', '"')));
  }

  @Test
  @Covers("MB-10")
  void otherControllersRunWithoutTheJobController() throws Exception {
    try (ControlPlane plane =
        new ControlPlane(new SimulatedEngine(), ControlPlaneOptions.DEFAULT)) {
      plane.start(EnumSet.complementOf(EnumSet.of(ControllerName.JOB)), null);
      Cluster cluster = plane.cluster();
      KubeObject job = cluster.create(JobBuilder.named("j").build()).get();
      String owned =
          "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'owned','namespace':'default',"
              + "'ownerReferences':[{'apiVersion':'batch/v1','kind':'Job','name':'j','uid':'"
              + job.uid()
              + "'}]}}";
      CompletableFuture<KubeObject> collected = goes(cluster, cluster.create(object(owned)).get());
      assertThat(cluster.get(job.ref()).get().resourceVersion()).isEqualTo(job.resourceVersion());
      cluster.delete(job.ref(), DeleteOptions.only(job.uid())).get();
      assertThat(collected.get(30, TimeUnit.SECONDS).name()).isEqualTo("owned");
      assertThat(cluster.list(Kind.POD, null).get().items()).isEmpty();
      assertThat(cluster.list(Kind.EVENT, null).get().items()).isEmpty();
    }
  }

  private static CompletableFuture<KubeObject> goes(Cluster cluster, KubeObject object) {
    CompletableFuture<KubeObject> gone = new CompletableFuture<>();
    cluster.watch(
        object.kind(),
        null,
        object.resourceVersion(),
        new WatchHandler() {
          @Override
          public void onEvent(WatchEvent event) {
            if (event.type() == WatchEvent.Type.DELETED) {
              gone.complete(event.object());
            }
          }

          @Override
          public void onClosed(@Nullable ClusterException cause) {}
        });
    return gone;
  }
}
