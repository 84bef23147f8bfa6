package dev.stint.controllers.job;

import dev.stint.controllers.metrics.JobMetrics;
import dev.stint.engine.JobView;
import dev.stint.engine.Ledger;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.options.JobOptions;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.EventAggregator;
import dev.stint.reconcile.WorkQueue;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The Jobs that a controller decides: those that name it, that its filter accepts, and whose shard
 * it holds. It leaves all others, and keeps nothing of their pods.
 */
final class OwnJobs {
  private final JobControllerOptions options;
  private final HeldShards shards;
  private final Relist podList;
  private final OrphanPods orphans;
  private final EventAggregator events;
  private final WorkQueue<JobWork> queue;
  private final JobMetrics metrics;
  private final Executor loop;
  private final Map<String, JobWork> works = new HashMap<>();

  /** The Jobs that may adopt pods, and some that have just finished. */
  private final ByNamespace<JobWork> unfinished = new ByNamespace<>();

  /** Complete when the writes about Jobs are answered that were in flight as these were left. */
  private final Map<String, CompletableFuture<@Nullable Void>> unanswered = new HashMap<>();

  OwnJobs(
      JobControllerOptions options,
      HeldShards shards,
      Relist podList,
      OrphanPods orphans,
      EventAggregator events,
      WorkQueue<JobWork> queue,
      JobMetrics metrics,
      Executor loop) {
    this.loop = loop;
    this.options = options;
    this.shards = shards;
    this.podList = podList;
    this.orphans = orphans;
    this.events = events;
    this.queue = queue;
    this.metrics = metrics;
  }

  /** Returns the work on a Job; null if it is none of ours. */
  @Nullable JobWork get(String uid) {
    return works.get(uid);
  }

  /** Returns the work on the Jobs of a namespace that have not finished, and some others. */
  Collection<JobWork> unfinishedIn(String namespace) {
    return unfinished.in(namespace);
  }

  /** False once a Job was dropped, even if it was taken again since. */
  boolean contains(JobWork work) {
    return get(work.object().uid()) == work;
  }

  /** True if a Job may be ours: false if its shard or the filter says that it is not. */
  boolean mayKeep(KubeObject job) {
    return shards.hold(job.uid()) && options.only().test(job);
  }

  /** True if a Job is to be taken up. */
  boolean mayTake(KubeObject job) {
    return options.claims(job) && mayKeep(job);
  }

  /** Takes up a Job. It has to be read again, with its pods, if these were not kept up to now. */
  JobWork take(KubeObject job) {
    String uid = job.uid();
    CompletableFuture<@Nullable Void> shard = shards.read(uid);
    boolean left = orphans.forgetForeign(uid) && shard.isDone();
    CompletableFuture<@Nullable Void> read = left ? listPods(uid) : shard;
    JobWork work = new JobWork(job, new Ledger(rules(job)), shards.writer(uid), read, metrics);
    if (left) {
      work.markStatusUnanswered();
    }
    orphans.take(uid).forEach(work::put);
    works.put(uid, work);
    file(work);
    return work;
  }

  /** Lists pods once no write about a Job is in flight, which may create another one. */
  private CompletableFuture<@Nullable Void> listPods(String uid) {
    return unanswered
        .getOrDefault(uid, ClusterRequests.NOTHING)
        .thenComposeAsync(_ -> podList.request(), loop);
  }

  /** Records a newer state of a Job. */
  void update(JobWork work, KubeObject job) {
    if (!JobOptions.areSame(job, work.object()) || job.generation() != work.object().generation()) {
      work.ledger.setRules(rules(job));
    }
    work.update(job);
    file(work);
  }

  /** Records that there is nothing to do for a Job until it changes or some time has passed. */
  void rest(JobWork work) {
    file(work);
  }

  /**
   * Has a pod without a controller find a Job for as long as it has not finished. An answer may
   * come after the Job was left; then it is found no more.
   */
  private void file(JobWork work) {
    if (!contains(work)) {
      return;
    }
    if (work.status().isFinished()) {
      unfinished.remove(work.object());
    } else {
      unfinished.put(work.object(), work);
    }
  }

  private Ledger.Rules rules(KubeObject job) {
    return Ledger.Rules.of(JobView.of(job), options.gates(), backoff(job));
  }

  /** Returns the delays that the Job asks for, or the controller's (decision 78). */
  private ExponentialBackoff backoff(KubeObject job) {
    JobOptions own = JobOptions.of(job);
    if (!JobStatus.read(job.status()).isFinished()) {
      own.complaints()
          .forEach((name, complaint) ->
              events.event(job, true, "InvalidAnnotation", name + " is ignored: it " + complaint));
    }
    return Objects.requireNonNullElse(own.podFailureBackoff(), options.engine().backoff());
  }

  /** Leaves a Job that is none of ours, and its pods. */
  void leave(KubeObject job) {
    String manager = Json.text(job.spec(), "managedBy");
    if (orphans.markForeign(job.uid()) && manager != null && !options.claims(job)) {
      JobLog.about(Level.INFO, job)
          .addKeyValue("controller", manager)
          .log("Leaving the Job to another controller");
      metrics.onForeignJob(manager);
    }
  }

  /** Leaves a Job that was ours; pods of a deleted one are orphans. */
  void leave(JobWork work) {
    drop(work);
    end(work);
    if (!work.isDeleted()) {
      leave(work.object());
    }
  }

  private void end(JobWork work) {
    CompletableFuture<@Nullable Void> writes = work.end();
    if (!writes.isDone()) {
      String uid = work.object().uid();
      CompletableFuture<@Nullable Void> all =
          unanswered.merge(uid, writes, CompletableFuture::allOf);
      var _ = all.thenRunAsync(() -> unanswered.remove(uid, all), loop);
    }
  }

  /** Leaves the Jobs of shards that are not held any more. */
  void leaveOthers() {
    List.copyOf(works.values()).stream()
        .filter(work -> !shards.hold(work.object().uid()))
        .forEach(this::leave);
  }

  /** Forgets a Job. */
  void drop(JobWork work) {
    String uid = work.object().uid();
    works.remove(uid);
    unfinished.remove(work.object());
    queue.forget(work);
    events.forget(uid);
  }
}
