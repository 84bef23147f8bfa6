package dev.stint.embedded;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.Timers;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.RetryingCluster;
import dev.stint.runner.Runner;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.runtime.Runtime;
import dev.stint.runner.spec.ResourceAmount;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A node of a cluster that is somebody else's, whose pods run here: in the place that a kubelet has
 * elsewhere. It takes the pods that name it, and nobody else's.
 */
public final class RemoteNode implements AutoCloseable {
  private final SerialExecutor loop = new SerialExecutor("stint-runner");
  private final Cluster cluster;
  private final LocalNode node;
  private final ObjectRef ref;
  private final Runner runner;

  /**
   * Not started yet.
   *
   * @param api not closed with this
   * @param requests how much is asked of it
   * @param name which no other node has
   * @param maxPods how many of its pods run at once
   */
  public RemoteNode(
      Cluster api,
      Timers timers,
      RetryingCluster.Options requests,
      String name,
      int maxPods,
      Runtime runtime) {
    InstantSource clock = InstantSource.system();
    cluster = new RetryingCluster(api, requests, new SteadyClock(), timers, RemoteWork.random());
    node = new LocalNode(cluster, clock, name, maxPods, ResourceAmount.UNLIMITED);
    ref = new ObjectRef(Kind.NODE, "", name);
    runner =
        new Runner(
            cluster,
            runtime,
            new EventLoop(loop, clock, timers, RemoteWork.random()),
            new RunnerOptions(name, maxPods, _ -> true).withMachine(ResourceAmount.UNLIMITED));
  }

  /** Makes the node known, and runs its pods; completes when it does. */
  public CompletableFuture<@Nullable Void> start() {
    return node.register().thenCompose(_ -> runner.start());
  }

  /** Takes the node from the cluster, as far as that can be asked; completes when it is gone. */
  public CompletableFuture<@Nullable Void> leave() {
    return cluster.delete(ref, new DeleteOptions(null, null, Propagation.BACKGROUND));
  }

  /** Stops running pods; what runs goes on. */
  @Override
  public void close() {
    runner.close();
    loop.close();
  }
}
