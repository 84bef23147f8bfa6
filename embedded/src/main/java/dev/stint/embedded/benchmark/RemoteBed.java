package dev.stint.embedded.benchmark;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import dev.stint.embedded.RemoteNode;
import dev.stint.reconcile.RetryingCluster;
import dev.stint.runner.runtime.Runtime;
import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures a remote API and its Job controller, with a node of ours in place of a kubelet. Requests
 * are not rate-limited, 64 at a time.
 */
final class RemoteBed implements BenchmarkBed {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteBed.class);
  private static final RetryingCluster.Options UNHURRIED = RetryingCluster.Options.DEFAULT;
  private static final RetryingCluster.Options REQUESTS =
      new RetryingCluster.Options(0, 1, 64, UNHURRIED.tries(), UNHURRIED.backoff());
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Cluster cluster;
  private final Timers timers;
  private final String nodeName;
  private final int maxPods;
  private @Nullable RemoteNode node;

  /**
   * @param cluster not closed with this
   * @param nodeName unique among the cluster's nodes
   */
  RemoteBed(Cluster cluster, Timers timers, String nodeName, int maxPods) {
    this.cluster = cluster;
    this.timers = timers;
    this.nodeName = nodeName;
    this.maxPods = maxPods;
  }

  @Override
  public Cluster cluster() {
    return cluster;
  }

  @Override
  public InstantSource clock() {
    return InstantSource.system();
  }

  @Override
  public Timers timers() {
    return timers;
  }

  @Override
  public String nodeName() {
    return nodeName;
  }

  @Override
  public CompletableFuture<?> start(Runtime runtime) {
    RemoteNode made = new RemoteNode(cluster, timers, REQUESTS, nodeName, maxPods, runtime);
    node = made;
    return made.start();
  }

  @Override
  public CompletableFuture<@Nullable Void> failure() {
    return new CompletableFuture<>();
  }

  @Override
  public OptionalLong storeBytes() {
    return OptionalLong.empty();
  }

  @Override
  public void close() {
    RemoteNode made = node;
    if (made == null) {
      return;
    }
    made.close();
    try {
      made.unregister().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException stays) {
      LOG.warn("Cannot delete node {}; delete it with kubectl: {}", nodeName, stays.toString());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
