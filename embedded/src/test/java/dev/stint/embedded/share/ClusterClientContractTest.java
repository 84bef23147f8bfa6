package dev.stint.embedded.share;

import dev.stint.cluster.Cluster;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.harness.RemoteClusterContract;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** The API server of another process, over its private socket. */
class ClusterClientContractTest extends RemoteClusterContract {
  private static ControlPlane plane;
  private static ClusterServer server;
  private static ClusterClient client;

  @BeforeAll
  static void open(@TempDir Path directory) throws Exception {
    StoreOptions store = new StoreOptions(LOG_EVENTS, 64 << 20, StoreOptions.Durability.RELAXED);
    plane =
        new ControlPlane(
            new SimulatedEngine(),
            new ControlPlaneOptions(
                store, JobControllerOptions.DEFAULT, 1, _ -> false, true, true));
    plane.cluster().create(namespace("default")).join();
    server =
        ClusterServer.open(
            directory,
            new HolderInfo(1, "run", "process", "", null, PodPermissions.NONE),
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
  protected Cluster server() {
    return plane.cluster();
  }
}
