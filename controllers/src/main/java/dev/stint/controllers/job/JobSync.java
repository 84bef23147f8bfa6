package dev.stint.controllers.job;

import dev.stint.cluster.EventLoop;
import dev.stint.controllers.metrics.JobMetrics;
import dev.stint.engine.Decision;
import dev.stint.engine.EngineOptions;
import dev.stint.engine.Plan;
import dev.stint.model.KubeObject;
import dev.stint.model.ResourceVersions;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.EventAggregator;
import dev.stint.reconcile.Informer;
import dev.stint.reconcile.WorkQueue;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The work on one Job at a time: reads what is unclear, asks the engine for a plan, carries it out,
 * and decides again, until the engine has nothing to do.
 *
 * <p>One Job has at most one plan in progress. The answers to its writes are recorded at once, so
 * every decision includes them. An idle Job is decided at once; under load, the changes that arrive
 * during one plan are handled together.
 */
final class JobSync {
  /** The size of a Job's waiting pods from which on no more are created (decision 49). */
  private static final int MOST_WAITING_BYTES = 64 << 20;

  private final OwnJobs own;
  private final WorkQueue<JobWork> queue;
  private final Informer jobs;
  private final EventLoop loop;
  private final JobMetrics metrics;
  private final JobControllerOptions options;
  private final PodCreator creator;
  private final PlanExecutor executor;
  private final StatusDelay delay;

  JobSync(
      OwnJobs own,
      WorkQueue<JobWork> queue,
      Informer jobs,
      Informer pods,
      EventAggregator events,
      EventLoop loop,
      JobMetrics metrics,
      JobControllerOptions options) {
    WriteCost cost = new WriteCost();
    this.own = own;
    this.queue = queue;
    this.jobs = jobs;
    this.loop = loop;
    this.metrics = metrics;
    this.options = options;
    this.creator =
        new PodCreator(
            loop, options.gates(), options.concurrentSyncs(), events, pods, metrics, cost);
    this.executor = new PlanExecutor(loop, options.gates(), events, creator, jobs, pods, cost);
    this.delay = new StatusDelay(options, cost);
  }

  /** Works on a Job. Decides nothing while its shard or its pods have not been read. */
  CompletableFuture<@Nullable Void> run(JobWork work) {
    if (!own.contains(work) || !work.read().isDone()) {
      return ClusterRequests.NOTHING;
    }
    SyncMeter meter = SyncMeter.start(work, metrics, loop);
    return creator
        .resolve(work)
        .thenCompose(_ -> resolveStatus(work))
        .thenCompose(_ -> work.ownershipSettled())
        .exceptionallyComposeAsync(
            failure -> {
              meter.stop(false);
              return CompletableFuture.failedFuture(failure);
            },
            loop)
        .thenCompose(_ -> decide(work, meter));
  }

  /**
   * Reads a Job whose last status may have been written though there was no answer. Otherwise a pod
   * could be created for an index whose success is stored, if its pod looks failed since.
   */
  private CompletableFuture<@Nullable Void> resolveStatus(JobWork work) {
    return work.isStatusUnanswered()
        ? ClusterRequests.find(work.api, work.object().ref())
            .<@Nullable Void>thenApplyAsync(stored -> onStatusRead(work, stored), loop)
        : ClusterRequests.NOTHING;
  }

  private @Nullable Void onStatusRead(JobWork work, @Nullable KubeObject stored) {
    work.markStatusAnswered();
    KubeObject known = work.object();
    if (stored != null
        && stored.uid().equals(known.uid())
        && ResourceVersions.isNewer(stored.resourceVersion(), known.resourceVersion())
        && jobs.recordIfNew(stored)) {
      own.update(work, stored);
    }
    return null;
  }

  private CompletableFuture<@Nullable Void> decide(JobWork work, SyncMeter meter) {
    if (!own.contains(work)) {
      return ClusterRequests.NOTHING;
    }
    Plan plan = plan(work);
    if (plan != null && !plan.isIdle()) {
      return act(work, plan, meter);
    }
    meter.stop(plan != null);
    if (plan != null) {
      rest(work, plan);
    }
    return ClusterRequests.NOTHING;
  }

  /** Returns null if the engine throws: a bug must not affect other Jobs. */
  private @Nullable Plan plan(JobWork work) {
    try {
      EngineOptions engine = options.engine();
      Plan plan =
          Decision.decide(
              work.view(),
              work.ledger,
              work.status(),
              options.gates(),
              engine.withMaxWaitingPods(work.podsWithin(MOST_WAITING_BYTES)),
              loop.now());
      if (JobLog.isEnabled(Level.TRACE)) {
        JobLog.about(Level.TRACE, work.object()).addKeyValue("plan", plan).log("Decided");
      }
      return delay.apply(work, plan, loop.now());
    } catch (RuntimeException bug) {
      JobLog.about(Level.ERROR, work.object())
          .setCause(bug)
          .log("Internal error; leaving the Job unchanged until it changes");
      return null;
    }
  }

  /** Carries out a plan, and then decides again. The queue retries failures. */
  private CompletableFuture<@Nullable Void> act(JobWork work, Plan plan, SyncMeter meter) {
    return executor
        .execute(work, plan)
        .whenCompleteAsync(
            (_, failure) -> {
              meter.stop(plan, failure == null);
              if (failure == null) {
                delay.onDone(work, plan);
                queue.add(work);
              }
            },
            loop);
  }

  /** Does nothing more for a Job until it changes or the time of the plan comes. */
  private void rest(JobWork work, Plan plan) {
    Instant again = plan.again();
    if (work.isDeleted()) {
      own.drop(work);
      return;
    }
    own.rest(work);
    if (again != null) {
      queue.addAt(work, again);
    }
  }
}
