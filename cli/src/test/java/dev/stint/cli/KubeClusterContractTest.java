package dev.stint.cli;

import dev.stint.cluster.Cluster;
import dev.stint.harness.ClusterContract;
import dev.stint.harness.TestTime;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** A real cluster's client, against the API server over HTTPS. */
class KubeClusterContractTest extends ClusterContract {
  private static final int LOG_EVENTS = 200;

  private static FarCluster far;
  private static KubeCluster cluster;

  @BeforeAll
  static void open(@TempDir Path directory) throws Exception {
    far = new FarCluster(directory, null, LOG_EVENTS);
    cluster = KubeCluster.of(far.kubeconfig(), null, new TestTime());
  }

  @AfterAll
  static void close() {
    cluster.close();
    far.close();
  }

  @Override
  protected Cluster cluster() {
    return cluster;
  }

  @Override
  protected <T extends @Nullable Object> T answer(CompletableFuture<T> request) {
    return request.orTimeout(60, TimeUnit.SECONDS).join();
  }

  @Override
  protected void expireRevisions() {
    ObjectRef filler = new ObjectRef(Kind.CONFIG_MAP, "default", "filler");
    ObjectNode tree = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
    tree.putObject("metadata").put("name", filler.name()).put("namespace", filler.namespace());
    far.cluster().create(KubeObject.of(tree)).join();
    for (int i = 0; i <= LOG_EVENTS; i++) {
      ObjectNode patch = Json.object();
      patch.putObject("data").put("count", Integer.toString(i));
      far.cluster().patch(filler, patch).join();
    }
  }
}
