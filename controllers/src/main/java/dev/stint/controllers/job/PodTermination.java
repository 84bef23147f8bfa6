package dev.stint.controllers.job;

import dev.stint.cluster.EventLoop;
import dev.stint.engine.pod.PodView;
import dev.stint.engine.pod.RestartsPerIndex;
import dev.stint.engine.pod.StartupDeadline;
import dev.stint.model.FewNames;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.Timestamps;
import dev.stint.model.job.options.JobOptions;
import dev.stint.model.pod.PodPhase;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.EventAggregator;
import dev.stint.reconcile.Informer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Ends pods that did not start in time, or whose containers restart too often: writes their last
 * phase, the reason and a condition, which pod failure policies can match. The node then ends what
 * there is of the pod. The pod is read before, and the write fails if the pod changes meanwhile:
 * none is ended that starts after all.
 */
final class PodTermination {
  private final EventLoop loop;
  private final EventAggregator events;
  private final Informer pods;

  /**
   * The end of a pod.
   *
   * @param condition the type of the condition that tells of it
   * @param message the message of the pod's status
   * @param because the reason in an event about the pod
   */
  private record End(String reason, String condition, String message, String because) {}

  /** A pod that was ended. */
  private record Ended(KubeObject pod, End end) {}

  PodTermination(EventLoop loop, EventAggregator events, Informer pods) {
    this.loop = loop;
    this.events = events;
    this.pods = pods;
  }

  /** Ends pods; completes when everything was tried, and fails with the first failure. */
  CompletableFuture<@Nullable Void> end(JobWork work, List<PodView> overdue) {
    if (overdue.isEmpty()) {
      return ClusterRequests.NOTHING;
    }
    List<Ended> ended = new ArrayList<>();
    CompletableFuture<?>[] writes =
        overdue.stream().map(pod -> end(work, pod, ended)).toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(writes).whenCompleteAsync((_, _) -> report(work, ended), loop);
  }

  private CompletableFuture<@Nullable Void> end(JobWork work, PodView pod, List<Ended> ended) {
    return ClusterRequests.find(work.api, PlanExecutor.ref(pod))
        .thenComposeAsync(newest -> endIfDue(work, pod, newest, ended), loop);
  }

  private CompletableFuture<@Nullable Void> endIfDue(
      JobWork work, PodView pod, @Nullable KubeObject newest, List<Ended> ended) {
    if (newest == null || !newest.uid().equals(pod.uid())) {
      work.removeEarly(pod.uid());
      return ClusterRequests.NOTHING;
    }
    if (!work.owns(newest)) {
      return ClusterRequests.NOTHING; // The watch will report that.
    }
    record(work, newest);
    End end = endOf(work, newest);
    if (end == null) {
      return ClusterRequests.NOTHING;
    }
    return work.api
        .patchStatus(newest.ref(), failing(end, newest))
        .<@Nullable Void>thenApplyAsync(
            failed -> {
              ended.add(new Ended(failed, end));
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

  /** Returns the end that is due for a pod; null if it may go on. */
  private @Nullable End endOf(JobWork work, KubeObject pod) {
    PodView view = PodView.of(pod);
    JobOptions options = work.view().options();
    if (StartupDeadline.isPast(options.startupDeadline(), view, loop.now())) {
      String limit = work.object().annotation(JobOptions.STARTUP_DEADLINE) + problem(pod);
      return new End(
          StartupDeadline.REASON,
          Names.STARTUP_DEADLINE_EXCEEDED,
          "The pod did not start within " + limit,
          "not started within " + limit);
    }
    Integer limit = work.view().spec().backoffLimitPerIndex();
    if (RestartsPerIndex.isExceeded(limit, RestartsPerIndex.judge(view, options), options)) {
      String restarts =
          "containers restarted " + view.restarts() + " times; backoffLimitPerIndex is " + limit;
      return new End(
          RestartsPerIndex.REASON, Names.RESTART_LIMIT_EXCEEDED, "The " + restarts, restarts);
    }
    return null;
  }

  /** Returns a patch that ends exactly this pod in exactly this state. */
  private ObjectNode failing(End end, KubeObject pod) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", pod.uid()).put("resourceVersion", pod.resourceVersion());
    ObjectNode status = patch.putObject("status").put("phase", PodPhase.Failed.name());
    status.put("reason", end.reason()).put("message", end.message());
    ArrayNode conditions = status.putArray("conditions");
    JsonNode others = Json.arrayAt(pod.status(), "conditions");
    if (others != null) {
      others.forEach(each -> conditions.add(each.deepCopy()));
    }
    conditions
        .addObject()
        .put("type", end.condition())
        .put("status", "True")
        .put("reason", end.reason())
        .put("lastTransitionTime", Timestamps.format(loop.now()));
    return patch;
  }

  private static String problem(KubeObject pod) {
    String problem = StartupProblem.of(pod);
    return problem.isEmpty() ? "" : ": " + problem;
  }

  /** Records one event for each reason. */
  private void report(JobWork work, List<Ended> ended) {
    ended.stream()
        .collect(
            Collectors.groupingBy(each -> each.end().reason(), TreeMap::new, Collectors.toList()))
        .forEach((reason, pods) -> {
          Ended first = pods.getFirst();
          String names = FewNames.of(List.of(first.pod().name()), pods.size());
          events.event(
              work.object(), true, reason, "Ended pod " + names + ": " + first.end().because());
        });
  }
}
