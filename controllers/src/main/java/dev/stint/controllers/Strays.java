package dev.stint.controllers;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.engine.pod.PodView;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Pods whose Job the controller does not know. Either the Job is about to be heard of, or it is
 * somebody else's, or it is gone; a pod of the last sort would be held by the tracking finalizer
 * for ever, so it loses it.
 */
final class Strays {
  private static final Logger LOG = LoggerFactory.getLogger(Strays.class);

  private final Cluster cluster;
  private final Executor loop;
  private final Map<String, Map<String, PodView>> pods = new HashMap<>();
  private final Map<String, String> jobNames = new HashMap<>();
  private final Set<String> others = new HashSet<>();
  private boolean settled;

  Strays(Cluster cluster, Executor loop) {
    this.cluster = cluster;
    this.loop = loop;
  }

  /** Keeps a pod until its Job is heard of. */
  void put(String jobUid, KubeObject pod, PodView view) {
    String jobName = jobName(pod, jobUid);
    if (!view.tracked() || jobName == null || others.contains(jobUid)) {
      return;
    }
    pods.computeIfAbsent(jobUid, uid -> new HashMap<>()).put(view.uid(), view);
    jobNames.put(jobUid, jobName);
    if (settled) {
      check(jobUid);
    }
  }

  /** The Job is somebody else's, and so are its pods. */
  void leave(String jobUid) {
    others.add(jobUid);
    claim(jobUid);
  }

  /** A Job is gone. */
  void lost(String jobUid) {
    others.remove(jobUid);
  }

  /** A pod is gone. */
  void gone(String jobUid, String podUid) {
    Map<String, PodView> waiting = pods.get(jobUid);
    if (waiting != null) {
      waiting.remove(podUid);
    }
  }

  /** Hands over the pods of a Job that has been heard of. */
  Collection<PodView> claim(String jobUid) {
    jobNames.remove(jobUid);
    Map<String, PodView> found = pods.remove(jobUid);
    return found == null ? List.of() : found.values();
  }

  /** All pods that exist have been put. */
  void settle() {
    settled = true;
    new ArrayList<>(pods.keySet()).forEach(this::check);
  }

  private void check(String jobUid) {
    Map<String, PodView> waiting = pods.get(jobUid);
    String name = jobNames.get(jobUid);
    if (waiting == null || waiting.isEmpty() || name == null) {
      return;
    }
    String namespace = waiting.values().iterator().next().namespace();
    cluster
        .get(new ObjectRef(Kind.JOB, namespace, name))
        .whenCompleteAsync((job, failure) -> checked(jobUid, job, failure), loop);
  }

  private void checked(String jobUid, @Nullable KubeObject job, @Nullable Throwable failure) {
    Throwable cause = failure == null ? null : ClusterException.causeOf(failure);
    boolean gone =
        job != null
            ? !job.uid().equals(jobUid)
            : cause instanceof ClusterException refused && refused.reason() == Reason.NOT_FOUND;
    if (gone) {
      claim(jobUid).forEach(this::untrack);
    }
  }

  private void untrack(PodView pod) {
    cluster
        .patch(PlanExecutor.ref(pod), PlanExecutor.untracking(pod))
        .whenComplete((done, failure) -> {
          if (failure != null) {
            LOG.debug(
                "orphan pod {} keeps its finalizer for now: {}", pod.name(), failure.getMessage());
          }
        });
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
