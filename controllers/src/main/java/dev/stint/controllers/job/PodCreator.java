package dev.stint.controllers.job;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.metrics.JobMetrics;
import dev.stint.engine.PodPlan;
import dev.stint.engine.pod.PodView;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.PodReplacementPolicy;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.EventAggregator;
import dev.stint.reconcile.Informer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Creates pods, and none twice. It chooses their names itself: if the outcome of a request is
 * unknown, the name tells whether the pod exists. The controller decides nothing on a Job before
 * that is known, and retries a creation by the same name.
 */
final class PodCreator {
  /**
   * The number of pods of all Jobs that wait for their creation at once, since each takes memory.
   */
  private static final int MOST_WAITING = 1 << 15;

  private static final int MOST_BYTES_IN_A_BATCH = 8 << 20;

  private final EventLoop loop;
  private final FeatureGates gates;
  private final EventAggregator events;
  private final Informer pods;
  private final JobMetrics metrics;
  private final WriteCost cost;

  /** The number of pods of one Job that wait for their creation at once. */
  private final int mostInABatch;

  /**
   * @param jobs the number of Jobs that are worked on at once
   */
  PodCreator(
      EventLoop loop,
      FeatureGates gates,
      int jobs,
      EventAggregator events,
      Informer pods,
      JobMetrics metrics,
      WriteCost cost) {
    this.cost = cost;
    this.mostInABatch = Math.max(1, MOST_WAITING / jobs);
    this.gates = gates;
    this.metrics = metrics;
    this.loop = loop;
    this.events = events;
    this.pods = pods;
  }

  /**
   * Creates pods in batches that double while creations succeed, so that a Job whose pods are
   * refused asks only once. Completes when everything was tried; fails with the first failure.
   */
  CompletableFuture<@Nullable Void> create(JobWork work, List<PodPlan> missing) {
    PodNameGenerator.Choice choice = work.creations.names(work.object(), work.status());
    return create(work, missing, choice, new Created(new ArrayList<>(), new ArrayList<>()));
  }

  /**
   * The pods that were created.
   *
   * @param raised those with more memory than the template says, and how much
   */
  private record Created(List<String> names, List<String> raised) {
    void add(KubeObject pod) {
      names.add(pod.name());
      String memory = pod.annotation(Names.RAISED_MEMORY);
      if (memory != null) {
        raised.add(pod.name() + " (" + memory + ")");
      }
    }
  }

  private void report(JobWork work, Created created) {
    events.eventNaming(work.object(), "SuccessfulCreate", "Created pod", created.names());
    events.eventNaming(
        work.object(),
        "MemoryRaised",
        "More memory than that of a pod that ran out of it, for pod",
        created.raised());
    work.forgetIfEnded(events);
  }

  private CompletableFuture<@Nullable Void> create(
      JobWork work, List<PodPlan> missing, PodNameGenerator.Choice choice, Created names) {
    if (missing.isEmpty()) {
      report(work, names);
      return ClusterRequests.NOTHING;
    }
    int most = Math.min(work.creations.batch(), work.podsWithin(MOST_BYTES_IN_A_BATCH));
    int size = Math.min(most, missing.size());
    List<CompletableFuture<@Nullable Void>> batch = new ArrayList<>(size);
    for (PodPlan plan : missing.subList(0, size)) {
      String name = work.creations.name(choice, work.factory().prefix(plan), plan.index());
      batch.add(create(work, plan, name, names));
    }
    return CompletableFuture.allOf(batch.toArray(CompletableFuture[]::new))
        .handleAsync(
            (_, failure) -> {
              if (failure != null) {
                report(work, names);
                onBatchFailure(work, failure);
                return CompletableFuture.<@Nullable Void>failedFuture(failure);
              }
              work.creations.onBatchCreated(mostInABatch);
              return create(work, missing.subList(size, missing.size()), choice, names);
            },
            loop)
        .thenCompose(Function.identity());
  }

  private CompletableFuture<@Nullable Void> create(
      JobWork work, PodPlan plan, String name, Created names) {
    KubeObject pod = work.factory().create(plan, name);
    Instant start = loop.now();
    return work.api
        .create(pod)
        .<@Nullable Void>thenApplyAsync(
            created -> {
              cost.onOther(start, loop.now());
              names.add(created);
              metrics.onPodCreation(reason(work), true);
              record(work, created);
              return null;
            },
            loop)
        .exceptionallyComposeAsync(failure -> onCreationFailure(work, plan, name, failure), loop);
  }

  private CompletableFuture<@Nullable Void> onCreationFailure(
      JobWork work, PodPlan plan, String name, Throwable failure) {
    if (!ClusterRequests.isWithheld(failure)) {
      metrics.onPodCreation(reason(work), false);
    }
    if (ClusterRequests.hasReason(failure, Reason.ALREADY_EXISTS)) {
      work.creations.markUnanswered(name, plan.index());
      return find(work, name, plan.index());
    }
    if (ClusterRequests.isOutcomeUnknown(failure)) {
      work.creations.markUnanswered(name, plan.index());
    } else {
      work.creations.retry(plan.index(), name); // A refusal then reads the same each time.
    }
    return CompletableFuture.failedFuture(failure);
  }

  /**
   * Returns the reason for a creation, as far as the Job's pods and counters show it (KEP-3939,
   * Monitoring).
   */
  private JobMetrics.CreationReason reason(JobWork work) {
    PodReplacementPolicy policy = work.view().spec().podReplacementPolicy();
    boolean failed = onCreationFailure(work);
    if (!gates.has(Gate.JobPodReplacementPolicy)) {
      return JobMetrics.CreationReason.NEW;
    }
    if (policy == PodReplacementPolicy.Failed) {
      return failed ? JobMetrics.CreationReason.RECREATE_FAILED : JobMetrics.CreationReason.NEW;
    }
    return failed || work.ledger.terminating() > 0
        ? JobMetrics.CreationReason.RECREATE_TERMINATING_OR_FAILED
        : JobMetrics.CreationReason.NEW;
  }

  private static boolean onCreationFailure(JobWork work) {
    JobStatus.Uncounted uncounted = work.status().uncounted();
    return work.status().failed() > 0
        || uncounted != null && !uncounted.failed().isEmpty()
        || work.ledger.trackedFailures(Integer.MAX_VALUE) > 0;
  }

  private void onBatchFailure(JobWork work, Throwable failure) {
    work.creations.onBatchFailure();
    if (!ClusterRequests.isWithheld(failure)) {
      String cause = ClusterException.causeOf(failure).getMessage();
      events.event(work.object(), true, "FailedCreate", "Error creating: " + cause);
    }
  }

  /** Finds out which pods exist whose creation had no clear answer. */
  CompletableFuture<@Nullable Void> resolve(JobWork work) {
    Map<String, Integer> unanswered = work.creations.unanswered();
    return unanswered.isEmpty()
        ? ClusterRequests.NOTHING
        : ClusterRequests.each(
            unanswered.entrySet(), 8, pod -> find(work, pod.getKey(), pod.getValue()));
  }

  private CompletableFuture<@Nullable Void> find(JobWork work, String name, int index) {
    ObjectRef ref = new ObjectRef(Kind.POD, work.object().namespace(), name);
    return ClusterRequests.find(work.api, ref)
        .thenAcceptAsync(
            found -> {
              boolean unanswered = work.creations.onAnswer(name);
              if (found == null && unanswered) {
                work.creations.retry(index, name); // The creation may still be in flight.
              } else if (found != null && work.owns(found)) {
                record(work, found);
              } else if (found != null) {
                work.creations.markTaken(name); // Another owner's; the next try takes another name.
              }
            },
            loop)
        .thenApply(_ -> null);
  }

  private void record(JobWork work, KubeObject pod) {
    if (pods.recordIfNew(pod)) {
      work.put(PodView.of(pod));
    }
  }
}
