package dev.stint.embedded.benchmark;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Timers;
import dev.stint.embedded.RemoteNode;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.pod.PodPhase;
import dev.stint.reconcile.RetryingCluster;
import dev.stint.runner.runtime.Runtime;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures a remote API and its Job controller, with a node of ours in place of a kubelet. Requests
 * are not rate-limited, 64 at a time.
 */
final class RemoteTarget implements BenchmarkTarget {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteTarget.class);
  private static final RetryingCluster.Options UNHURRIED = RetryingCluster.Options.DEFAULT;
  private static final RetryingCluster.Options REQUESTS =
      new RetryingCluster.Options(0, 1, 64, UNHURRIED.tries(), UNHURRIED.backoff());
  private static final Duration DELETION_TIMEOUT = Duration.ofSeconds(10);

  private final Cluster cluster;
  private final Timers timers;
  private final String nodeName;
  private final int maxPods;
  private final MeasuredPods pods = new MeasuredPods(TimedJob.NAMESPACE);
  private final StallWatch watch;
  private final @Nullable String managedBy;
  private @Nullable RemoteNode node;

  /**
   * @param cluster not closed with this
   * @param nodeName unique among the cluster's nodes
   * @param patience how long nothing may happen
   * @param progress changes whenever something happens
   * @param told receives what is waited for, if nothing happens
   */
  RemoteTarget(
      Cluster cluster,
      Timers timers,
      String nodeName,
      JobRunOptions options,
      Duration patience,
      LongSupplier progress,
      Consumer<String> told) {
    this.watch = new StallWatch(timers, patience, progress, this::situation, told);
    this.managedBy = options.managedBy();
    this.cluster = cluster;
    this.timers = timers;
    this.nodeName = nodeName;
    this.maxPods = options.podsAtOnce();
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
    RemoteNode made = new RemoteNode(cluster, timers, REQUESTS, nodeName, maxPods, pods, runtime);
    node = made;
    return made.start().thenRun(watch::start);
  }

  @Override
  public void onCreated(KubeObject job) {
    RemoteNode made = node;
    if (pods.add(job) && made != null) {
      made.reconsider();
    }
  }

  @Override
  public CompletableFuture<@Nullable Void> failure() {
    return watch.stalled();
  }

  /** Describes what the pods wait for: a controller, or the node. */
  private CompletableFuture<String> situation() {
    return cluster
        .get(new ObjectRef(Kind.NODE, "", nodeName))
        .thenCombine(cluster.list(Kind.POD, TimedJob.NAMESPACE), this::situation);
  }

  private String situation(KubeObject found, ObjectList all) {
    List<KubeObject> ours = all.items().stream().filter(pods).toList();
    if (ours.isEmpty()) {
      return "no pods exist; is a Job controller running in the cluster"
          + (managedBy == null ? "?" : " that takes Jobs of --managed-by " + managedBy + "?");
    }
    long pending = ours.stream().filter(pod -> PodPhase.of(pod) == PodPhase.Pending).count();
    String taints =
        found
            .tree()
            .at("/spec/taints")
            .valueStream()
            .filter(taint -> !RemoteNode.TAINT.equals(Json.text(taint, "key")))
            .map(taint -> Json.text(taint, "key") + ":" + Json.text(taint, "effect"))
            .collect(Collectors.joining(", "));
    return "%d of %d pods are Pending on the node %s%s"
        .formatted(
            pending,
            ours.size(),
            nodeName,
            taints.isEmpty()
                ? ""
                : ", which has the taint "
                    + taints
                    + "; the cluster's node lifecycle controller has to remove it");
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
      made.unregister().get(DELETION_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException stays) {
      LOG.warn("Cannot delete node {}; delete it with kubectl: {}", nodeName, stays.toString());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
