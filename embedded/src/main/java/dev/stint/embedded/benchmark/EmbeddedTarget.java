package dev.stint.embedded.benchmark;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.embedded.data.DataLayout;
import dev.stint.model.KubeObject;
import dev.stint.runner.runtime.Runtime;
import dev.stint.store.StoreException;
import dev.stint.store.engine.RocksEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Measures an embedded control plane over a durable store. */
final class EmbeddedTarget implements BenchmarkTarget {
  private final Path store;
  private final ControlPlane plane;

  /**
   * @param created receives every new key before it is written
   * @throws StoreException the store cannot be opened
   */
  EmbeddedTarget(Path directory, ControlPlaneOptions options, Consumer<String> created)
      throws IOException, StoreException {
    this.store = Files.createDirectory(new DataLayout(directory).store());
    this.plane = new ControlPlane(new TimedEngine(RocksEngine.open(store), created), options);
  }

  @Override
  public Cluster cluster() {
    return plane.cluster();
  }

  @Override
  public InstantSource clock() {
    return plane.clock();
  }

  @Override
  public Timers timers() {
    return plane.timers();
  }

  @Override
  public @Nullable String nodeName() {
    return null;
  }

  @Override
  public CompletableFuture<?> start(Runtime runtime) {
    return plane.start(runtime);
  }

  /** Does nothing: the store has no other Jobs. */
  @Override
  public void onCreated(KubeObject job) {}

  @Override
  public CompletableFuture<@Nullable Void> failure() {
    return plane.failure().thenCompose(CompletableFuture::failedFuture);
  }

  @Override
  public OptionalLong storeBytes() throws IOException {
    return OptionalLong.of(TemporaryDirectory.size(store));
  }

  @Override
  public void close() {
    plane.close();
  }
}
