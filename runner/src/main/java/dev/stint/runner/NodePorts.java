package dev.stint.runner;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.runner.item.ItemCache;
import dev.stint.runner.runtime.Runtime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ports that a runner works through. Every callback re-enters the loop here. */
record NodePorts(
    Cluster cluster,
    Runtime runtime,
    EventLoop loop,
    RunnerOptions options,
    NodeEvents events,
    ItemCache items) {
  private static final Logger LOG = LoggerFactory.getLogger(NodePorts.class);

  Instant now() {
    return loop.now();
  }

  /** Returns the same ports, but passes every task of the loop to a guard, which runs it. */
  NodePorts guardedBy(Consumer<Runnable> guard) {
    EventLoop guarded =
        new EventLoop(
            task -> loop.execute(() -> guard.accept(task)),
            loop.clock(),
            loop.steady(),
            loop.timers(),
            loop.random());
    return new NodePorts(cluster, runtime, guarded, options, events, items);
  }

  /** Runs a task on the loop after a delay. The handle's {@code run} cancels it. */
  Runnable after(Duration delay, Runnable task) {
    return loop.after(delay, task);
  }

  /** Does what {@link #after} does, or sooner, for who goes by the clock. */
  Runnable within(Duration delay, Runnable task) {
    return loop.within(delay, task);
  }

  /** Passes the failure of a future, or null, to the loop. */
  void whenDone(CompletionStage<?> future, Consumer<@Nullable Throwable> then) {
    future.whenComplete((_, failure) -> loop.execute(() -> then.accept(plain(failure))));
  }

  /** Removes what the runtime holds of a pod; kills what still runs of it. */
  void forget(String podUid, Object pod) {
    runtime
        .forget(podUid)
        .whenComplete((_, failure) -> {
          if (failure != null) {
            LOG.warn(
                "Cannot clean up after pod {}; the next start tries again: {}",
                pod,
                failure.toString());
          }
        });
  }

  static @Nullable Throwable plain(@Nullable Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
