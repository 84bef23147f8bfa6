package dev.stint.apiserver;

import dev.stint.cluster.Cluster;
import dev.stint.harness.ClusterContract;
import dev.stint.model.FeatureGates;
import dev.stint.store.StoreOptions;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The API server, as clients in its own process use it. */
class ApiServerContractTest extends ClusterContract {
  private static final int LOG_EVENTS = 100;

  private final World world =
      new World(
          ApiServer.Options.defaults().withNamespacesThatExist(),
          new StoreOptions(LOG_EVENTS, 64 << 20, StoreOptions.Durability.RELAXED),
          FeatureGates.DEFAULT);

  ApiServerContractTest() {
    world.create("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'default'}}");
  }

  @Override
  protected Cluster cluster() {
    return world.api;
  }

  @Override
  protected <T extends @Nullable Object> T answer(CompletableFuture<T> request) {
    return world.answer(request);
  }

  @Override
  protected void expireRevisions() {
    for (int i = 0; i <= LOG_EVENTS; i++) {
      world.create(World.configMapJson("filler-" + i, ""));
    }
  }
}
