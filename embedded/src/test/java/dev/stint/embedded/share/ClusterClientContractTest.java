package dev.stint.embedded.share;

import dev.stint.cluster.Cluster;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.embedded.ControlPlane;
import dev.stint.harness.ClusterContract;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** The API server of another process, over its private socket. */
class ClusterClientContractTest extends ClusterContract {
  private static final int LOG_EVENTS = 200;

  private static ControlPlane plane;
  private static ClusterServer server;
  private static ClusterClient client;

  @BeforeAll
  static void open(@TempDir Path directory) throws Exception {
    StoreOptions store = new StoreOptions(LOG_EVENTS, 64 << 20, StoreOptions.Durability.RELAXED);
    plane =
        new ControlPlane(
            new SimulatedEngine(),
            new ControlPlane.Options(
                store, JobControllerOptions.DEFAULT, 1, _ -> false, true, true));
    plane.cluster().create(namespace("default")).join();
    server =
        ClusterServer.open(
            directory,
            new HolderInfo(1, "run", "process", "", null, PodTerms.NONE),
            plane.cluster(),
            TestClaims.idle(),
            plane.timers());
    client = ClusterClient.connect(directory, (_, _) -> () -> {});
  }

  @AfterAll
  static void close() {
    client.close();
    server.close();
    plane.close();
  }

  private static KubeObject namespace(String name) {
    ObjectNode tree = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
    tree.putObject("metadata").put("name", name);
    return KubeObject.of(tree);
  }

  @Override
  protected Cluster cluster() {
    return client;
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
    plane.cluster().create(KubeObject.of(tree)).join();
    for (int i = 0; i <= LOG_EVENTS; i++) {
      ObjectNode patch = Json.object();
      patch.putObject("data").put("count", Integer.toString(i));
      plane.cluster().patch(filler, patch).join();
    }
  }
}
