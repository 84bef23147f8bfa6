package dev.stint.controllers.gc;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.Timestamps;
import dev.stint.model.pod.PodPhase;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.Informer;
import dev.stint.reconcile.WorkQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes pods that nothing else deletes: pods on missing nodes, pods that were deleted before they
 * were bound, and the oldest finished pods above a threshold (Kubernetes documentation, Pod
 * Lifecycle, Garbage collection of Pods).
 *
 * <p>A pod on a node without a Node object counts as a pod on a missing node. Do not run this
 * collector where pods are bound to nodes that the API does not know.
 */
public final class PodGarbageCollector implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(PodGarbageCollector.class);
  private static final Duration PERIOD = Duration.ofSeconds(20);
  private static final Duration QUARANTINE = Duration.ofSeconds(40);
  private static final int REQUESTS_AT_ONCE = 16;
  private static final String ROUND = "round";

  /** Kubernetes' default number of finished pods to keep. */
  public static final int USUAL_THRESHOLD = 12_500;

  private final Cluster cluster;
  private final EventLoop loop;
  private final int threshold;
  private final Informer pods;
  private final Informer nodes;
  private final WorkQueue<String> queue;
  private final Map<String, CollectablePod> podsByUid = new HashMap<>();
  private final Map<String, String> nodeNamesByUid = new HashMap<>();

  /** The time since which a node has been missing, of the steady clock, by the name in its pods. */
  private final Map<String, Instant> missing = new HashMap<>();

  private final Set<Kind> listed = new HashSet<>();

  /**
   * Creates a collector that is not started yet.
   *
   * @param loop the event loop that runs all of its work
   * @param threshold how many finished pods may stay
   */
  public PodGarbageCollector(Cluster cluster, EventLoop loop, Metrics metrics, int threshold) {
    this.cluster = cluster;
    this.loop = loop;
    this.threshold = threshold;
    this.queue =
        new WorkQueue<>(
            "pod garbage collector", loop, metrics.queue("orphaned_pods_nodes"), _ -> round());
    this.pods = new Informer(cluster, Kind.POD, loop, new PodListener());
    this.nodes = new Informer(cluster, Kind.NODE, loop, new NodeListener());
  }

  /** Starts following the API. Returns at once. */
  @Override
  public void start() {
    loop.execute(() -> {
      pods.start();
      nodes.start();
    });
  }

  /** Stops following the API. Does not wait for writes in flight. */
  @Override
  public void close() {
    loop.execute(() -> {
      queue.close();
      pods.close();
      nodes.close();
    });
  }

  private final class PodListener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject pod) {
      podsByUid.put(pod.uid(), CollectablePod.of(pod));
    }

    @Override
    public void onDelete(String uid, String controller) {
      podsByUid.remove(uid);
    }

    @Override
    public void onSynced() {
      openAfter(Kind.POD);
    }
  }

  private final class NodeListener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject node) {
      nodeNamesByUid.put(node.uid(), node.name());
      missing.remove(node.name()); // It may have gone again before the next round.
    }

    @Override
    public void onDelete(String uid, String controller) {
      nodeNamesByUid.remove(uid);
    }

    @Override
    public void onSynced() {
      openAfter(Kind.NODE);
    }
  }

  private void openAfter(Kind kind) {
    if (listed.add(kind) && listed.size() == 2) {
      queue.add(ROUND);
      queue.open();
    }
  }

  /** Runs one round. The next round retries failed deletions. */
  private CompletableFuture<@Nullable Void> round() {
    queue.addAt(ROUND, loop.now().plus(PERIOD));
    List<String> away = longMissing();
    // Chosen before the nodes are asked for: a pod that comes later may be on a node that is back.
    List<CollectablePod> onThem = CollectablePod.orphans(podsByUid.values(), Set.copyOf(away));
    Set<String> gone = new HashSet<>();
    return ClusterRequests.each(away, 1, node -> verify(node, gone))
        .thenComposeAsync(
            _ ->
                each(
                    CollectablePod.orphans(onThem, gone),
                    pod ->
                        missing.containsKey(pod.node())
                            ? fail(pod, this::orphaned).thenCompose(_ -> delete(pod))
                            : ClusterRequests.NOTHING), // Its node has been back meanwhile.
            loop)
        .thenComposeAsync(
            _ ->
                each(
                    CollectablePod.neverBound(podsByUid.values()),
                    pod -> fail(pod, PodGarbageCollector::failure).thenCompose(_ -> delete(pod))),
            loop)
        .thenComposeAsync(
            _ -> each(CollectablePod.surplus(podsByUid.values(), threshold), this::delete), loop);
  }

  private List<String> longMissing() {
    Set<String> there = new HashSet<>(nodeNamesByUid.values());
    Set<String> named =
        podsByUid.values().stream().map(CollectablePod::node).collect(Collectors.toSet());
    named.remove("");
    named.removeAll(there);
    missing.keySet().retainAll(named);
    Instant now = loop.steadyNow();
    named.forEach(node -> missing.putIfAbsent(node, now));
    return missing.entrySet().stream()
        .filter(entry -> !entry.getValue().plus(QUARANTINE).isAfter(now))
        .map(Map.Entry::getKey)
        .toList();
  }

  private CompletableFuture<@Nullable Void> verify(String node, Set<String> gone) {
    return ClusterRequests.find(cluster, new ObjectRef(Kind.NODE, "", node))
        .thenAcceptAsync(
            found -> {
              if (found == null) {
                gone.add(node);
              }
            },
            loop)
        .thenApply(_ -> null);
  }

  private static CompletableFuture<@Nullable Void> each(
      List<CollectablePod> pods, Function<CollectablePod, CompletableFuture<@Nullable Void>> act) {
    return ClusterRequests.each(
        pods,
        REQUESTS_AT_ONCE,
        pod -> act.apply(pod).exceptionally(failure -> failed(pod, failure)));
  }

  private static @Nullable Void failed(CollectablePod pod, Throwable failure) {
    Throwable cause = ClusterException.causeOf(failure);
    if (cause instanceof ClusterException) {
      LOG.debug("Cannot collect {}; retrying in the next round: {}", pod.ref(), cause.getMessage());
    } else {
      LOG.error("Cannot collect {}; retrying in the next round", pod.ref(), cause);
    }
    return null;
  }

  private CompletableFuture<@Nullable Void> delete(CollectablePod pod) {
    return ClusterRequests.unlessGone(cluster.delete(pod.ref(), DeleteOptions.now(pod.uid())));
  }

  /**
   * Marks the pod as failed, since no kubelet does so. A finalizer may hold it until its Job has
   * counted that. A pod that has finished meanwhile keeps its outcome.
   */
  private CompletableFuture<@Nullable Void> fail(
      CollectablePod pod, Function<KubeObject, ObjectNode> patch) {
    if (pod.finished()) {
      return ClusterRequests.NOTHING;
    }
    return ClusterRequests.find(cluster, pod.ref())
        .thenCompose(found ->
            found == null || !found.uid().equals(pod.uid()) || PodPhase.of(found).isTerminal()
                ? ClusterRequests.NOTHING
                : ClusterRequests.unlessGone(cluster.patchStatus(pod.ref(), patch.apply(found))));
  }

  private static ObjectNode failure(KubeObject pod) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", pod.uid()).put("resourceVersion", pod.resourceVersion());
    patch.putObject("status").put("phase", PodPhase.Failed.name());
    return patch;
  }

  /** Returns the failure of a pod that was disrupted, as its node is gone. */
  private ObjectNode orphaned(KubeObject pod) {
    ObjectNode patch = failure(pod);
    ArrayNode conditions = patch.withObjectProperty("status").putArray("conditions");
    JsonNode before = Json.arrayAt(pod.status(), "conditions");
    if (before != null) {
      for (JsonNode condition : before) {
        if (!Names.DISRUPTION_TARGET.equals(Json.text(condition, "type"))) {
          conditions.add(condition);
        }
      }
    }
    ObjectNode disrupted = conditions.addObject().put("type", Names.DISRUPTION_TARGET);
    Long generation = Json.longInteger(pod.metadata(), "generation");
    if (generation != null) {
      disrupted.put("observedGeneration", generation);
    }
    disrupted
        .put("status", "True")
        .put("reason", "DeletionByPodGC")
        .put("message", "PodGC: node no longer exists")
        .put("lastTransitionTime", Timestamps.format(loop.now()));
    return patch;
  }
}
