package dev.stint.controllers.job;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.engine.pod.PodView;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.QueueMetrics;
import dev.stint.reconcile.WorkQueue;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Pods whose Job the controller does not know: the watch has not reported the Job yet, another
 * controller manages it, or it has been deleted. A pod of a deleted Job is an orphan. The tracking
 * finalizer would hold it forever, so this class removes the finalizer (KEP-2307).
 */
final class OrphanPods {
  private static final int WIDTH = 32;
  private static final Duration AGAIN = Duration.ofSeconds(30);

  /** The key, in place of a Job's uid, of pods without a controller. */
  private static final String NOBODY = "";

  private final Cluster reads;
  private final HeldShards shards;
  private final EventLoop loop;
  private final Map<String, Map<String, PodView>> pods = new HashMap<>();
  private final Map<String, String> jobNames = new HashMap<>();
  private final Set<String> others = new HashSet<>();
  private final WorkQueue<String> queue;

  /**
   * @param reads the API, for reading
   * @param shards the Jobs whose pods concern this process
   */
  OrphanPods(Cluster reads, HeldShards shards, EventLoop loop, QueueMetrics metrics) {
    this.reads = reads;
    this.shards = shards;
    this.loop = loop;
    this.queue = new WorkQueue<>("orphan pods", loop, metrics, this::check);
  }

  /** Keeps a pod until the watch reports its Job. */
  void keep(String jobUid, KubeObject pod) {
    boolean concerns = shards.hold(jobUid) && !others.contains(jobUid) && isTracked(pod);
    String jobName = concerns ? jobName(pod, jobUid) : null;
    if (jobName == null) {
      remove(jobUid, pod.uid());
      return;
    }
    pods.computeIfAbsent(jobUid, uid -> new HashMap<>()).put(pod.uid(), PodView.of(pod));
    jobNames.put(jobUid, jobName);
    queue.add(jobUid);
  }

  /** Keeps a pod that has no controller and that no Job adopts. Nothing counts it. */
  void onUncontrolled(KubeObject pod) {
    if (isTracked(pod) && shards.hold(NOBODY)) {
      pods.computeIfAbsent(NOBODY, _ -> new HashMap<>()).put(pod.uid(), PodView.of(pod));
      queue.add(NOBODY);
    } else {
      onControlled(pod.uid());
    }
  }

  /** True if the finalizer holds the pod. Reads nothing else: most pods belong to old Jobs. */
  static boolean isTracked(KubeObject pod) {
    return pod.finalizers().contains(Names.TRACKING_FINALIZER);
  }

  /** Records that a pod has a controller, or does not exist any more. */
  void onControlled(String podUid) {
    remove(NOBODY, podUid);
  }

  /** Leaves a Job and its pods to another controller; returns true if that is new. */
  boolean markForeign(String jobUid) {
    take(jobUid);
    return others.add(jobUid);
  }

  /** Forgets the pods of Jobs in shards that are not held any more. */
  void forgetOthers() {
    List.copyOf(pods.keySet()).stream().filter(uid -> !shards.hold(uid)).forEach(this::take);
  }

  /**
   * Records that a Job is not left to another controller any more; returns true if it was, so that
   * its pods were not kept.
   */
  boolean forgetForeign(String jobUid) {
    return others.remove(jobUid);
  }

  /** Records that a Job does not exist any more: its pods are orphans. */
  void onJobDeleted(String jobUid) {
    others.remove(jobUid);
    queue.add(jobUid);
  }

  /** Forgets a pod that does not exist any more, or that the finalizer does not hold. */
  void remove(String jobUid, String podUid) {
    Map<String, PodView> waiting = pods.get(jobUid);
    if (waiting != null && waiting.remove(podUid) != null && waiting.isEmpty()) {
      take(jobUid);
    }
  }

  /** Returns and forgets the pods of a Job that the watch has reported. */
  Collection<PodView> take(String jobUid) {
    queue.forget(jobUid);
    jobNames.remove(jobUid);
    Map<String, PodView> found = pods.remove(jobUid);
    return found == null ? List.of() : found.values();
  }

  /** Starts to remove finalizers: all existing pods are known. */
  void open() {
    queue.open();
  }

  void close() {
    queue.close();
  }

  private CompletableFuture<@Nullable Void> check(String jobUid) {
    Map<String, PodView> waiting = pods.get(jobUid);
    if (waiting == null) {
      return ClusterRequests.NOTHING;
    }
    Cluster writes = shards.writer(jobUid);
    String name = jobNames.get(jobUid);
    if (name == null) {
      return untrack(writes, waiting.values());
    }
    String namespace = waiting.values().iterator().next().namespace();
    return ClusterRequests.find(reads, new ObjectRef(Kind.JOB, namespace, name))
        .thenComposeAsync(
            job -> {
              if (job == null || !job.uid().equals(jobUid)) {
                return untrack(writes, waiting.values());
              }
              if (pods.containsKey(jobUid)) { // It may be deleted unreported.
                queue.addAt(jobUid, loop.now().plus(AGAIN));
              }
              return ClusterRequests.NOTHING;
            },
            loop);
  }

  private CompletableFuture<@Nullable Void> untrack(Cluster writes, Collection<PodView> held) {
    return ClusterRequests.each(List.copyOf(held), WIDTH, pod -> untrack(writes, pod));
  }

  /** Removes the finalizer; the pod is forgotten when the watch reports that. */
  private CompletableFuture<@Nullable Void> untrack(Cluster writes, PodView pod) {
    return ClusterRequests.unlessGone(
        writes.patch(PlanExecutor.ref(pod), PlanExecutor.untracking(pod)));
  }

  private static @Nullable String jobName(KubeObject pod, String jobUid) {
    JsonNode owners = Json.arrayAt(pod.metadata(), "ownerReferences");
    if (owners != null) {
      for (JsonNode owner : owners) {
        if (jobUid.equals(Json.text(owner, "uid")) && "Job".equals(Json.text(owner, "kind"))) {
          return Json.text(owner, "name");
        }
      }
    }
    return null;
  }
}
