package dev.stint.embedded.benchmark;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import dev.stint.model.KubeObject;
import dev.stint.runner.runtime.Runtime;
import java.io.IOException;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The system that a benchmark measures: an API, a Job controller behind it, and a node whose pods
 * run here.
 */
sealed interface BenchmarkTarget extends AutoCloseable permits EmbeddedTarget, RemoteTarget {
  /** Returns the API, as any client sees it. */
  Cluster cluster();

  InstantSource clock();

  Timers timers();

  /** Returns the node that the Jobs' pods name; null if pods are bound anyway. */
  @Nullable String nodeName();

  /** Begins to run pods; completes when it does. */
  CompletableFuture<?> start(Runtime runtime);

  /** Lets the pods of a Job of the benchmark run; to be called with each, once it is created. */
  void onCreated(KubeObject job);

  /** Fails when the benchmark cannot continue; otherwise never completes. */
  CompletableFuture<@Nullable Void> failure();

  /** Returns the bytes on disk; empty if unknown. */
  OptionalLong storeBytes() throws IOException;

  @Override
  void close();
}
