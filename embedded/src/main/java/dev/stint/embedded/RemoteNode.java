package dev.stint.embedded;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.SteadyClock;
import dev.stint.cluster.Timers;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.RetryingCluster;
import dev.stint.runner.Runner;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.runtime.Runtime;
import dev.stint.runner.spec.ResourceAmount;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A node of a remote cluster whose pods run on this machine, in place of a kubelet. It runs only
 * pods that are bound to it, and of these only some: schedulers bind any pod to a node that is free
 * and tolerated, and users may name the node.
 */
public final class RemoteNode implements AutoCloseable {
  /** The key of the taint {@code NoSchedule} of such nodes; their pods tolerate it. */
  public static final String TAINT = "stint.dev/bench";

  private final SerialExecutor loop = new SerialExecutor("stint-runner");
  private final Cluster cluster;
  private final LocalNode node;
  private final NodeHeartbeat heartbeat;
  private final ObjectRef ref;
  private final Runner runner;
  private CompletableFuture<?> registered = CompletableFuture.completedFuture(null);

  /**
   * Creates the node without starting it.
   *
   * @param api not closed with this
   * @param requests the rate and retries of its requests
   * @param name unique among the cluster's nodes
   * @param maxPods the number of its pods that may run at once
   * @param podFilter selects the pods that run; the others stay pending
   */
  public RemoteNode(
      Cluster api,
      Timers timers,
      RetryingCluster.Options requests,
      String name,
      int maxPods,
      Predicate<KubeObject> podFilter,
      Runtime runtime) {
    InstantSource clock = InstantSource.system();
    InstantSource steady = new SteadyClock();
    cluster = new RetryingCluster(api, requests, steady, timers, RandomGenerators.unpredictable());
    node = new LocalNode(cluster, clock, name, maxPods, ResourceAmount.UNLIMITED, TAINT);
    heartbeat = new NodeHeartbeat(node, timers);
    ref = new ObjectRef(Kind.NODE, "", name);
    runner =
        new Runner(
            cluster,
            runtime,
            new EventLoop(loop, clock, steady, timers, RandomGenerators.unpredictable()),
            new RunnerOptions(name, maxPods, podFilter).withMachine(ResourceAmount.UNLIMITED));
  }

  /** Registers the node and starts running its pods; completes when it does. */
  public CompletableFuture<@Nullable Void> start() {
    CompletableFuture<KubeObject> registering = node.register();
    registered = registering;
    return registering.thenRun(heartbeat::start).thenCompose(_ -> runner.start());
  }

  /** Looks again at all pods: the filter selects others than before. */
  public void reconsider() {
    runner.reconsider();
  }

  /**
   * Deletes the node from the cluster, if the cluster can be reached; completes when it is gone. A
   * registration under way ends before.
   */
  public CompletableFuture<@Nullable Void> unregister() {
    return registered
        .handle((_, _) -> true)
        .thenCompose(
            _ -> cluster.delete(ref, new DeleteOptions(null, null, Propagation.BACKGROUND)));
  }

  /** Stops the agent; running containers continue. */
  @Override
  public void close() {
    heartbeat.close();
    runner.close();
    loop.close();
  }
}
