package dev.stint.harness;

import dev.stint.cluster.Cluster;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

class FakeClusterTest extends ClusterContract {
  private final TestWorld world = new TestWorld();

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
    world.api.expireRevisions();
  }
}
