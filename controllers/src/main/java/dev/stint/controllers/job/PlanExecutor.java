package dev.stint.controllers.job;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.EventLoop;
import dev.stint.engine.Ledger;
import dev.stint.engine.Plan;
import dev.stint.engine.pod.PodView;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldError;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.JobStatusValidation;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.EventAggregator;
import dev.stint.reconcile.Informer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Carries out plans: creates pods, writes the status, then releases pods and records events. Each
 * step runs only if the one before it succeeded. Every answer of the API is recorded at once.
 */
final class PlanExecutor {
  private final EventLoop loop;
  private final FeatureGates gates;
  private final EventAggregator events;
  private final PodCreator creator;
  private final Informer jobs;
  private final Informer pods;
  private final PodTermination termination;
  private final WriteCost cost;

  PlanExecutor(
      EventLoop loop,
      FeatureGates gates,
      EventAggregator events,
      PodCreator creator,
      Informer jobs,
      Informer pods,
      WriteCost cost) {
    this.loop = loop;
    this.gates = gates;
    this.events = events;
    this.creator = creator;
    this.jobs = jobs;
    this.pods = pods;
    this.cost = cost;
    this.termination = new PodTermination(loop, events, pods);
  }

  /**
   * Carries out a plan. Completes when everything was tried; fails with the first failure. Called
   * on the controller's executor.
   */
  CompletableFuture<@Nullable Void> execute(JobWork work, Plan plan) {
    KubeObject decidedOn = work.object();
    CompletableFuture<@Nullable Void> created = creator.create(work, plan.create());
    return created
        .handleAsync((done, failure) -> writeStatus(work, plan, decidedOn), loop)
        .thenCompose(Function.identity())
        .thenComposeAsync(done -> releasePods(work, plan), loop)
        .thenCombine(created, (letGo, create) -> null);
  }

  /**
   * Writes the status unless the Job has changed since the decision, which may not hold any more.
   */
  private CompletableFuture<@Nullable Void> writeStatus(
      JobWork work, Plan plan, KubeObject before) {
    if (plan.status() == null || work.isDeleted()) {
      return CompletableFuture.completedFuture(null);
    }
    JobStatus status = withCreated(work, plan, plan.status());
    ObjectNode tree = before.tree().objectNode();
    tree.setAll(before.tree());
    tree.set("status", status.write());
    List<FieldError> faults = JobStatusValidation.update(before.tree(), tree, gates);
    if (!faults.isEmpty()) {
      String message = "refusing to write a status that breaks the rules: " + faults;
      return CompletableFuture.failedFuture(new IllegalStateException(message));
    }
    Instant start = loop.now();
    return work.api
        .updateStatus(KubeObject.of(tree))
        .handleAsync((job, failure) -> onStatusWritten(work, status, start, job, failure), loop)
        .thenCompose(Function.identity());
  }

  /** Returns the status with the pods that the plan has created, which exist by now. */
  private static JobStatus withCreated(JobWork work, Plan plan, JobStatus status) {
    Ledger ledger = work.ledger;
    return plan.create().isEmpty()
        ? status
        : status.withUnfinished(ledger.active().size(), ledger.ready(), ledger.terminating());
  }

  private CompletableFuture<@Nullable Void> onStatusWritten(
      JobWork work,
      JobStatus status,
      Instant start,
      @Nullable KubeObject job,
      @Nullable Throwable failure) {
    if (job == null) {
      // A conflict may be that with our own write, whose answer was lost and which was sent again.
      if (failure != null && !ClusterRequests.isWithheld(failure)) {
        work.markStatusUnanswered();
      }
      return CompletableFuture.failedFuture(
          failure == null ? new IllegalStateException("no answer") : failure);
    }
    cost.onStatus(start, loop.now());
    if (jobs.recordIfNew(job)) {
      work.updateStatus(job, status);
    }
    return CompletableFuture.completedFuture(null);
  }

  private CompletableFuture<@Nullable Void> releasePods(JobWork work, Plan plan) {
    if (!work.isDeleted()) {
      plan.events()
          .forEach(event ->
              events.event(work.object(), event.warning(), event.reason(), event.message()));
    }
    List<CompletableFuture<?>> writes = new ArrayList<>();
    writes.add(untrack(work, plan.untrack()));
    plan.release().forEach(pod -> writes.add(release(work, pod)));
    writes.add(termination.end(work, plan.overdue()));
    List<String> released = plan.release().stream().map(PodView::name).toList();
    return all(writes)
        .thenRunAsync(
            () -> {
              events.eventNaming(work.object(), "SuccessfulDelete", "Deleted pod", released);
              work.forgetIfEnded(events);
            },
            loop);
  }

  /**
   * Releases and deletes a pod. A pod that is changed or deleted meanwhile is released all the
   * same, since its Job no longer needs it; but a pod that has stopped counts.
   */
  private CompletableFuture<@Nullable Void> release(JobWork work, PodView pod) {
    return work.api.together(api ->
        writeExactly(work, pod, PodView::hasStopped, state -> untracked(api, work, state))
            .thenComposeAsync(state -> delete(api, work, state), loop));
  }

  /**
   * Writes to a pod in exactly the state that is known, and once more in its newest one if that is
   * another.
   *
   * @param forbids true if the write may not be repeated in a newer state
   */
  private <T extends @Nullable Object> CompletableFuture<T> writeExactly(
      JobWork work,
      PodView pod,
      Predicate<PodView> forbids,
      Function<PodView, CompletableFuture<T>> write) {
    return write
        .apply(pod)
        .exceptionallyComposeAsync(
            failure ->
                ClusterRequests.hasReason(failure, Reason.CONFLICT)
                    ? find(work, pod, failure)
                        .thenComposeAsync(
                            newer ->
                                forbids.test(newer)
                                    ? CompletableFuture.<T>failedFuture(failure)
                                    : write.apply(newer),
                            loop)
                    : CompletableFuture.failedFuture(failure),
            loop);
  }

  /** Reads a pod; fails with the failure if it is gone, or not the Job's any more. */
  private CompletableFuture<PodView> find(JobWork work, PodView pod, Throwable failure) {
    return ClusterRequests.find(work.api, ref(pod))
        .thenComposeAsync(
            now -> {
              if (now == null || !now.uid().equals(pod.uid()) || !work.owns(now)) {
                return CompletableFuture.failedFuture(failure);
              }
              record(work, now); // It may be released already, by a patch whose answer was lost.
              return CompletableFuture.completedFuture(PodView.of(now));
            },
            loop);
  }

  /** Releases a pod; returns its state afterwards, or the one before if it is gone. */
  private CompletableFuture<PodView> untracked(Cluster api, JobWork work, PodView pod) {
    if (!pod.tracked()) {
      return CompletableFuture.completedFuture(pod);
    }
    CompletableFuture<KubeObject> write = api.patch(ref(pod), untracking(pod));
    return write
        .handleAsync(
            (now, _) ->
                onUntracked(work, List.of(pod), List.of(write))
                    .thenApply(_ -> now == null ? pod : PodView.of(now)),
            loop)
        .thenCompose(Function.identity());
  }

  private CompletableFuture<@Nullable Void> untrack(JobWork work, List<PodView> held) {
    List<PodView> tracked = held.stream().filter(PodView::tracked).toList();
    List<CompletableFuture<KubeObject>> writes =
        tracked.stream().map(pod -> work.api.patch(ref(pod), untracking(pod))).toList();
    return all(writes)
        .handleAsync((_, _) -> onUntracked(work, tracked, writes), loop)
        .thenCompose(Function.identity());
  }

  /** Records the results; fails with the first failure that matters. */
  private CompletableFuture<@Nullable Void> onUntracked(
      JobWork work, List<PodView> pods, List<CompletableFuture<KubeObject>> writes) {
    CompletableFuture<@Nullable Void> all = ClusterRequests.NOTHING;
    for (int i = 0; i < writes.size(); i++) {
      CompletableFuture<KubeObject> write = writes.get(i);
      if (!write.isCompletedExceptionally()) {
        record(work, write.resultNow());
      } else if (ClusterRequests.hasReason(write.exceptionNow(), Reason.NOT_FOUND)) {
        work.removeEarly(pods.get(i).uid());
      } else if (all == ClusterRequests.NOTHING) {
        all = CompletableFuture.failedFuture(write.exceptionNow());
      }
    }
    return all;
  }

  /**
   * Returns a patch that removes only our finalizer, from exactly this pod in exactly this state.
   */
  static ObjectNode untracking(PodView pod) {
    ObjectNode patch = Json.object();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.put("uid", pod.uid()).put("resourceVersion", pod.resourceVersion());
    if (pod.otherFinalizers().isEmpty()) {
      metadata.putNull("finalizers");
    } else {
      ArrayNode rest = metadata.putArray("finalizers");
      pod.otherFinalizers().forEach(rest::add);
    }
    return patch;
  }

  /** Deletes a pod, unless it has another owner by now. */
  private CompletableFuture<@Nullable Void> delete(Cluster api, JobWork work, PodView pod) {
    // Nobody tells an ended work of changes.
    PodView seen = work.hasEnded() ? null : work.ledger.seen(pod.uid());
    PodView known = Objects.requireNonNullElse(seen, pod);
    if (known.tracked()) {
      return ClusterRequests.NOTHING; // It was adopted again, and would count as a failure.
    }
    return writeExactly(work, known, PodView::tracked, state -> deleteExactly(api, work, state));
  }

  private CompletableFuture<@Nullable Void> deleteExactly(Cluster api, JobWork work, PodView pod) {
    DeleteOptions options =
        new DeleteOptions(pod.uid(), pod.resourceVersion(), null, Propagation.BACKGROUND);
    return api.delete(ref(pod), options)
        .handleAsync(
            (_, failure) -> {
              if (failure == null) {
                work.markDeleting(pod);
                return ClusterRequests.NOTHING;
              }
              if (ClusterRequests.hasReason(failure, Reason.NOT_FOUND)) {
                work.removeEarly(pod.uid());
                return ClusterRequests.NOTHING;
              }
              return CompletableFuture.<@Nullable Void>failedFuture(failure);
            },
            loop)
        .thenCompose(Function.identity());
  }

  private void record(JobWork work, KubeObject pod) {
    if (pods.recordIfNew(pod)) {
      work.put(PodView.of(pod));
    }
  }

  static ObjectRef ref(PodView pod) {
    return new ObjectRef(Kind.POD, pod.namespace(), pod.name());
  }

  private static CompletableFuture<@Nullable Void> all(
      List<? extends CompletableFuture<?>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
  }
}
