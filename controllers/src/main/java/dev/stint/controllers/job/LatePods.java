package dev.stint.controllers.job;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.engine.pod.PodView;
import dev.stint.engine.pod.StartupDeadline;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.Times;
import dev.stint.model.job.options.JobOptions;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.EventRecorder;
import dev.stint.reconcile.Informer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Ends pods that did not start in time: writes their last phase, the reason and a condition, which
 * pod failure policies can match. The node then ends what there is of the pod. The pod is read
 * before, and the write fails if the pod changes meanwhile: none is ended that starts after all.
 */
final class LatePods {
  private final Cluster cluster;
  private final EventLoop loop;
  private final EventRecorder recorder;
  private final Informer pods;

  LatePods(Cluster cluster, EventLoop loop, EventRecorder recorder, Informer pods) {
    this.cluster = cluster;
    this.loop = loop;
    this.recorder = recorder;
    this.pods = pods;
  }

  /** Ends pods; completes when everything was tried, and fails with the first failure. */
  CompletableFuture<@Nullable Void> end(JobWork work, List<PodView> overdue) {
    if (overdue.isEmpty()) {
      return ClusterRequests.NOTHING;
    }
    List<KubeObject> ended = new ArrayList<>();
    CompletableFuture<?>[] writes =
        overdue.stream().map(pod -> end(work, pod, ended)).toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(writes).whenCompleteAsync((_, _) -> report(work, ended), loop);
  }

  private CompletableFuture<@Nullable Void> end(JobWork work, PodView pod, List<KubeObject> ended) {
    return ClusterRequests.find(cluster, PlanExecutor.ref(pod))
        .thenComposeAsync(newest -> endIfLate(work, pod, newest, ended), loop);
  }

  private CompletableFuture<@Nullable Void> endIfLate(
      JobWork work, PodView pod, @Nullable KubeObject newest, List<KubeObject> ended) {
    if (newest == null || !newest.uid().equals(pod.uid())) {
      work.removeEarly(pod.uid());
      return ClusterRequests.NOTHING;
    }
    record(work, newest);
    if (!StartupDeadline.isPast(
        work.view().options().startupDeadline(), PodView.of(newest), loop.now())) {
      return ClusterRequests.NOTHING;
    }
    return cluster
        .patchStatus(newest.ref(), failing(work, newest))
        .<@Nullable Void>thenApplyAsync(
            failed -> {
              ended.add(failed);
              record(work, failed);
              return null;
            },
            loop);
  }

  private void record(JobWork work, KubeObject pod) {
    if (pods.recordIfNew(pod)) {
      work.put(PodView.of(pod));
    }
  }

  /** Returns a patch that ends exactly this pod in exactly this state. */
  private ObjectNode failing(JobWork work, KubeObject pod) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", pod.uid()).put("resourceVersion", pod.resourceVersion());
    ObjectNode status = patch.putObject("status").put("phase", PodView.Phase.Failed.name());
    status
        .put("reason", StartupDeadline.REASON)
        .put("message", "The pod did not start within " + limit(work) + problem(pod));
    ArrayNode conditions = status.putArray("conditions");
    JsonNode others = Json.arrayAt(pod.status(), "conditions");
    if (others != null) {
      others.forEach(each -> conditions.add(each.deepCopy()));
    }
    conditions
        .addObject()
        .put("type", Names.STARTUP_DEADLINE_EXCEEDED)
        .put("status", "True")
        .put("reason", StartupDeadline.REASON)
        .put("lastTransitionTime", Times.format(loop.now()));
    return patch;
  }

  private static String limit(JobWork work) {
    return String.valueOf(work.object().annotation(JobOptions.STARTUP_DEADLINE));
  }

  private static String problem(KubeObject pod) {
    String problem = StartupProblem.of(pod);
    return problem.isEmpty() ? "" : ": " + problem;
  }

  private void report(JobWork work, List<KubeObject> ended) {
    if (ended.isEmpty()) {
      return;
    }
    KubeObject first = ended.getFirst();
    String more = ended.size() == 1 ? "" : " and " + (ended.size() - 1) + " more";
    String message =
        "Ended pod " + first.name() + more + ": not started within " + limit(work) + problem(first);
    recorder.event(work.object(), true, StartupDeadline.REASON, message);
  }
}
