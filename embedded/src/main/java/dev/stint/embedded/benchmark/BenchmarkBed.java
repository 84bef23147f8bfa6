package dev.stint.embedded.benchmark;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import dev.stint.runner.runtime.Runtime;
import java.io.IOException;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a run measures: an API, a Job controller behind it, and a node whose pods are run here. */
sealed interface BenchmarkBed extends AutoCloseable permits EmbeddedBed, RemoteBed {
  /** The API, as any client sees it. */
  Cluster cluster();

  InstantSource clock();

  Timers timers();

  /** The node that the Jobs' pods name; null where pods are given one anyway. */
  @Nullable String nodeName();

  /** Begins to run pods; completes when it does. */
  CompletableFuture<?> start(Runtime runtime);

  /** Never completes but with a failure, for which none of this can go on. */
  CompletableFuture<@Nullable Void> failure();

  /** Bytes on disk, where that is known. */
  OptionalLong storeBytes() throws IOException;

  @Override
  void close();
}
