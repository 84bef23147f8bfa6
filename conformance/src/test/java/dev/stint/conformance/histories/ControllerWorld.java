package dev.stint.conformance.histories;

import dev.stint.cluster.Cluster;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A place where a Job controller works: a real one, or ours in simulated time. */
interface ControllerWorld {
  /** The namespace of all Jobs. */
  String NAMESPACE = "default";

  Cluster api();

  Instant now();

  /** Sends requests together, so that the controller sees what all of them do, and waits. */
  void send(List<Supplier<CompletableFuture<?>>> requests);

  /** Waits until nothing more happens to a Job by itself, but for what time brings. */
  void settle(JobObserver observer);
}
