package dev.stint.controllers;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import dev.stint.engine.pod.PodView;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Pods whose Job the controller does not know. Either the Job is about to be heard of, or it is
 * somebody else's, or it is gone; a pod of the last sort would be held by the tracking finalizer
 * for ever, so it loses it.
 */
final class Strays {
  private static final int WIDTH = 32;
  private static final Duration AGAIN = Duration.ofSeconds(30);

  /** In place of a Job's uid, for pods that nobody controls. */
  private static final String NOBODY = "";

  private final Cluster cluster;
  private final Executor loop;
  private final InstantSource clock;
  private final Map<String, Map<String, PodView>> pods = new HashMap<>();
  private final Map<String, String> jobNames = new HashMap<>();
  private final Set<String> others = new HashSet<>();
  private final WorkQueue<String> queue;

  Strays(Cluster cluster, Executor loop, InstantSource clock, Timers timers) {
    this.cluster = cluster;
    this.loop = loop;
    this.clock = clock;
    this.queue = new WorkQueue<>("orphan pods", loop, clock, timers, this::check);
  }

  /** Keeps a pod until its Job is heard of. */
  void put(String jobUid, KubeObject pod) {
    String jobName = others.contains(jobUid) || !isTracked(pod) ? null : jobName(pod, jobUid);
    if (jobName == null) {
      gone(jobUid, pod.uid());
      return;
    }
    pods.computeIfAbsent(jobUid, uid -> new HashMap<>()).put(pod.uid(), PodView.of(pod));
    jobNames.put(jobUid, jobName);
    queue.add(jobUid);
  }

  /** Nobody controls the pod, and no Job takes it: it is nobody's to count. */
  void abandoned(KubeObject pod) {
    if (isTracked(pod)) {
      pods.computeIfAbsent(NOBODY, _ -> new HashMap<>()).put(pod.uid(), PodView.of(pod));
      queue.add(NOBODY);
    } else {
      owned(pod.uid());
    }
  }

  /** Tells without reading more of a pod than there is need of: most are of Jobs long gone by. */
  static boolean isTracked(KubeObject pod) {
    return pod.finalizers().contains(Names.TRACKING_FINALIZER);
  }

  /** The pod has a controller, or is gone. */
  void owned(String podUid) {
    gone(NOBODY, podUid);
  }

  /** The Job is somebody else's, and so are its pods. Tells whether that is news. */
  boolean leave(String jobUid) {
    claim(jobUid);
    return others.add(jobUid);
  }

  /** A Job is gone. */
  void lost(String jobUid) {
    others.remove(jobUid);
    queue.add(jobUid);
  }

  /** A pod is gone, or needs us no more. */
  void gone(String jobUid, String podUid) {
    Map<String, PodView> waiting = pods.get(jobUid);
    if (waiting != null && waiting.remove(podUid) != null && waiting.isEmpty()) {
      claim(jobUid);
    }
  }

  /** Hands over the pods of a Job that has been heard of. */
  Collection<PodView> claim(String jobUid) {
    queue.cancel(jobUid);
    jobNames.remove(jobUid);
    Map<String, PodView> found = pods.remove(jobUid);
    return found == null ? List.of() : found.values();
  }

  /** All pods that exist have been put. */
  void settle() {
    queue.open();
  }

  void close() {
    queue.close();
  }

  private CompletableFuture<@Nullable Void> check(String jobUid) {
    Map<String, PodView> waiting = pods.get(jobUid);
    if (waiting == null) {
      return Requests.NOTHING;
    }
    String name = jobNames.get(jobUid);
    if (name == null) {
      return untrack(waiting.values());
    }
    String namespace = waiting.values().iterator().next().namespace();
    return Requests.find(cluster, new ObjectRef(Kind.JOB, namespace, name))
        .thenComposeAsync(
            job -> {
              if (job == null || !job.uid().equals(jobUid)) {
                return untrack(waiting.values());
              }
              if (pods.containsKey(jobUid)) { // It may go before it has been heard of.
                queue.addAt(jobUid, clock.instant().plus(AGAIN));
              }
              return Requests.NOTHING;
            },
            loop);
  }

  private CompletableFuture<@Nullable Void> untrack(Collection<PodView> held) {
    return Requests.each(List.copyOf(held), WIDTH, this::untrack);
  }

  /** The pod leaves once it is heard that it has lost the finalizer. */
  private CompletableFuture<@Nullable Void> untrack(PodView pod) {
    return Requests.unlessGone(cluster.patch(PlanExecutor.ref(pod), PlanExecutor.untracking(pod)));
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
