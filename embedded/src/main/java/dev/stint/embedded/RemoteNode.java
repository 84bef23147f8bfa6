package dev.stint.embedded;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.SteadyClock;
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
 * A node of a remote cluster whose pods run on this machine, in place of a kubelet. It runs only
 * pods that are bound to it.
 */
public final class RemoteNode implements AutoCloseable {
  private final SerialExecutor loop = new SerialExecutor("stint-runner");
  private final Cluster cluster;
  private final LocalNode node;
  private final ObjectRef ref;
  private final Runner runner;

  /**
   * Creates the node without starting it.
   *
   * @param api not closed with this
   * @param requests the rate and retries of its requests
   * @param name unique among the cluster's nodes
   * @param maxPods the number of its pods that may run at once
   */
  public RemoteNode(
      Cluster api,
      Timers timers,
      RetryingCluster.Options requests,
      String name,
      int maxPods,
      Runtime runtime) {
    InstantSource clock = InstantSource.system();
    cluster =
        new RetryingCluster(
            api, requests, new SteadyClock(), timers, RandomGenerators.unpredictable());
    node = new LocalNode(cluster, clock, name, maxPods, ResourceAmount.UNLIMITED);
    ref = new ObjectRef(Kind.NODE, "", name);
    runner =
        new Runner(
            cluster,
            runtime,
            new EventLoop(loop, clock, timers, RandomGenerators.unpredictable()),
            new RunnerOptions(name, maxPods, _ -> true).withMachine(ResourceAmount.UNLIMITED));
  }

  /** Registers the node and starts running its pods; completes when it does. */
  public CompletableFuture<@Nullable Void> start() {
    return node.register().thenCompose(_ -> runner.start());
  }

  /**
   * Deletes the node from the cluster, if the cluster can be reached; completes when it is gone.
   */
  public CompletableFuture<@Nullable Void> unregister() {
    return cluster.delete(ref, new DeleteOptions(null, null, Propagation.BACKGROUND));
  }

  /** Stops the agent; running containers continue. */
  @Override
  public void close() {
    runner.close();
    loop.close();
  }
}
