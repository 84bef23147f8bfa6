package dev.stint.controllers.job;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.metrics.JobMetrics;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.engine.Decision;
import dev.stint.engine.JobView;
import dev.stint.engine.Ledger;
import dev.stint.engine.Plan;
import dev.stint.engine.pod.PodView;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.options.JobOptions;
import dev.stint.model.pod.PodPhase;
import dev.stint.reconcile.BatchedEvents;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.EventRecorder;
import dev.stint.reconcile.Informer;
import dev.stint.reconcile.WorkQueue;
import dev.stint.reconcile.leader.Sharding;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The Job controller: follows Jobs and their pods, asks the engine what to do, and does it.
 *
 * <p>One Job has at most one plan in progress. It records the answers to its own writes at once, so
 * every decision includes them. It decides on an idle Job at once; under load, the changes that
 * arrive during one plan are handled together.
 */
public final class JobController implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(JobController.class);

  /** The size of a Job's waiting pods from which on no more are created (decision 49). */
  private static final int MOST_WAITING_BYTES = 64 << 20;

  /** The time within which shards that are taken are read by one list. */
  private static final Duration TOGETHER = Duration.ofMillis(100);

  private final EventLoop loop;
  private final JobMetrics metrics;
  private final JobControllerOptions options;
  private final PodCreator creator;
  private final PlanExecutor executor;
  private final BatchedEvents events;
  private final WriteCost cost = new WriteCost();
  private final Informer jobs;
  private final Informer pods;
  private final OrphanPods orphans;
  private final PodOwnership ownership;
  private final HeldShards shards;
  private final WorkQueue<JobWork> queue;
  private final Map<String, JobWork> works = new HashMap<>();

  /** True if the pods are about to be listed again. */
  private boolean listPodsAgain;

  /** True if the Jobs are about to be listed again, as shards were taken. */
  private boolean listJobsAgain;

  /**
   * Creates a controller that is not started yet.
   *
   * @param loop the event loop that runs all of its work
   */
  public JobController(
      Cluster cluster, EventLoop loop, Metrics metrics, JobControllerOptions options) {
    this(cluster, HeldShards.all(cluster), loop, metrics, options);
  }

  /**
   * Creates a controller that decides the Jobs of those shards only that it is given. It starts
   * with the first of them.
   *
   * @param cluster the API, for reading and for events
   * @param loop the event loop that runs all of its work
   */
  public JobController(
      Cluster cluster,
      Sharding sharding,
      EventLoop loop,
      Metrics metrics,
      JobControllerOptions options) {
    this(cluster, new HeldShards(sharding, cluster), loop, metrics, options);
  }

  private JobController(
      Cluster cluster,
      HeldShards shards,
      EventLoop loop,
      Metrics metrics,
      JobControllerOptions options) {
    this.loop = loop;
    this.shards = shards;
    this.metrics = metrics.jobs();
    this.options = options;
    this.events =
        new BatchedEvents(new EventRecorder(cluster, loop.clock(), "job-controller"), loop);
    this.queue =
        new WorkQueue<>(
            "Job controller", loop, metrics.queue("job"), options.concurrentSyncs(), this::sync);
    this.jobs = new Informer(cluster, Kind.JOB, loop, new JobListener());
    PodListener podListener = new PodListener();
    this.pods = new Informer(cluster, Kind.POD, loop, podListener);
    this.orphans = new OrphanPods(cluster, shards, loop, metrics.queue("job_orphan_pod"));
    this.ownership = new PodOwnership(loop, pods, queue::add, podListener::onUpdate);
    this.creator = new PodCreator(loop, options.gates(), events, pods, this.metrics, cost);
    this.executor = new PlanExecutor(loop, options.gates(), events, creator, jobs, pods, cost);
  }

  /** Starts following the API. Returns at once. */
  @Override
  public void start() {
    loop.execute(jobs::start);
  }

  @Override
  public void reconsider() {
    loop.execute(jobs::start);
  }

  /**
   * Takes a shard: decides its Jobs once these and all pods have been listed anew.
   *
   * @param writes sends writes about the Jobs of the shard, for as long as they are ours
   */
  public void takeShard(int shard, Cluster writes) {
    loop.execute(() -> {
      shards.take(shard, writes);
      listJobs();
    });
  }

  /**
   * Decides nothing more on the Jobs of a shard.
   *
   * @return completes when that holds; writes may still be in flight
   */
  public CompletableFuture<@Nullable Void> dropShard(int shard) {
    return CompletableFuture.runAsync(
            () -> {
              shards.drop(shard);
              List.copyOf(works.values()).stream()
                  .filter(work -> !shards.hold(work.object().uid()))
                  .forEach(work -> {
                    drop(work);
                    if (!work.deleted) {
                      orphans.markForeign(work.object().uid());
                    }
                  });
              orphans.forgetOthers();
            },
            loop)
        .thenApply(_ -> null);
  }

  /** Lists the Jobs soon, so that shards that are taken one after the other are read together. */
  private void listJobs() {
    if (!listJobsAgain) {
      listJobsAgain = true;
      loop.after(
          TOGETHER,
          () -> {
            listJobsAgain = false;
            shards.onListingJobs();
            jobs.start();
          });
    }
  }

  /** Stops following the API and deciding. Does not wait for writes in flight. */
  @Override
  public void close() {
    loop.execute(() -> {
      jobs.close();
      pods.close();
      queue.close();
      events.close();
      orphans.close();
      ownership.close();
    });
  }

  private final class JobListener implements Informer.Listener {
    private boolean synced;

    @Override
    public void onUpdate(KubeObject job) {
      JobWork work = works.get(job.uid());
      if (work != null && !concerns(job)) {
        drop(work);
        leave(job);
      } else if (work != null) {
        if (Informer.isNewer(job.resourceVersion(), work.object().resourceVersion())) {
          if (!JobOptions.areSame(job, work.object())) {
            work.ledger.setRules(rules(job));
          }
          work.update(job);
          queue.add(work);
        }
      } else if (options.claim().covers(job, options.gates()) && concerns(job)) {
        take(job);
      } else {
        leave(job);
      }
    }

    @Override
    public void onDelete(String uid, String controller) {
      orphans.onJobDeleted(uid);
      JobWork work = works.get(uid);
      if (work != null) {
        work.deleted = true;
        queue.add(work);
      }
    }

    @Override
    public void onSynced() {
      // Pods are listed after Jobs, so that a pod's Job is known before the pod is.
      boolean taken = shards.onJobsListed();
      if (!synced || taken) {
        synced = true;
        pods.start();
      }
    }
  }

  private final class PodListener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject pod) {
      String owner = pod.controllerUid();
      if (owner == null) {
        ownership.onUncontrolled(pod);
        PodOwnership.adopter(works.values(), pod)
            .ifPresentOrElse(work -> ownership.adopt(work, pod), () -> orphans.onUncontrolled(pod));
        return;
      }
      ownership.onControlled(pod.uid());
      orphans.onControlled(pod.uid());
      JobWork work = works.get(owner);
      if (work == null) {
        orphans.keep(owner, pod);
      } else {
        update(work, pod);
      }
    }

    private void update(JobWork work, KubeObject pod) {
      PodView known = work.ledger.pod(pod.uid());
      if (known == null && isSettled(work, pod)) {
        return;
      }
      if (known == null || Informer.isNewer(pod.resourceVersion(), known.resourceVersion())) {
        work.put(PodView.of(pod));
        queue.add(work);
      }
      if (pods.isCurrent(pod)) {
        ownership.releaseUnlessMatching(work, pod);
      }
    }

    @Override
    public void onDelete(String uid, String controller) {
      ownership.onControlled(uid);
      orphans.onControlled(uid);
      onControllerChange(uid, controller);
    }

    @Override
    public void onControllerChange(String uid, String former) {
      JobWork work = works.get(former);
      if (work == null) {
        orphans.remove(former, uid);
      } else {
        work.remove(uid);
        queue.add(work);
      }
    }

    /** Decisions start once all pods are known, so that existing pods are not created again. */
    @Override
    public void onSynced() {
      shards.onPodsListed();
      orphans.open();
      queue.open();
      if (!listPodsAgain) {
        works.values().stream()
            .filter(work -> !work.podsKnown && shards.haveRead(work.object().uid()))
            .forEach(this::begin);
      }
    }

    private void begin(JobWork work) {
      work.podsKnown = true;
      queue.add(work);
    }
  }

  private boolean concerns(KubeObject job) {
    return shards.hold(job.uid()) && options.only().test(job);
  }

  /** True if the pod is counted and its Job is over: there may be a million of them. */
  private static boolean isSettled(JobWork work, KubeObject pod) {
    return work.status().isFinished()
        && PodPhase.isTerminal(pod.statusText("phase"))
        && !OrphanPods.isTracked(pod);
  }

  private void leave(KubeObject job) {
    String manager = Json.text(job.spec(), "managedBy");
    if (orphans.markForeign(job.uid())
        && manager != null
        && !options.claim().covers(job, options.gates())) {
      about(Level.INFO, job)
          .addKeyValue("controller", manager)
          .log("Leaving the Job to another controller");
      metrics.onForeignJob(manager);
    }
  }

  /** Forgets a Job that does not exist, or does not concern this controller, any more. */
  private void drop(JobWork work) {
    String uid = work.object().uid();
    works.remove(uid);
    queue.forget(work);
    events.forget(uid);
  }

  /** Lists the pods again: those of a Job that was left to others were not kept. */
  private void listPods() {
    if (!listPodsAgain) {
      listPodsAgain = true;
      loop.execute(() -> {
        listPodsAgain = false;
        pods.start();
      });
    }
  }

  private void take(KubeObject job) {
    JobWork work = new JobWork(job, new Ledger(rules(job)), shards.writer(job.uid()), metrics);
    boolean foreign = orphans.isForeign(job.uid());
    orphans.forgetForeign(job.uid());
    if (!shards.haveRead(job.uid())) {
      work.podsKnown = false;
    } else if (foreign) {
      work.podsKnown = false;
      listPods();
    }
    works.put(job.uid(), work);
    for (PodView pod : orphans.take(job.uid())) {
      work.put(pod);
    }
    queue.add(work);
    ownership.adoptFor(work);
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

  /** Decides on a Job and carries out the plan, once it is clear which pods the Job has. */
  private CompletableFuture<@Nullable Void> sync(JobWork work) {
    if (!work.podsKnown) {
      return ClusterRequests.NOTHING;
    }
    SyncMeter meter = SyncMeter.start(work, metrics, loop);
    return creator
        .resolve(work)
        .thenCompose(_ -> work.ownershipSettled())
        .exceptionallyComposeAsync(
            failure -> {
              meter.stop(false);
              return CompletableFuture.failedFuture(failure);
            },
            loop)
        .thenCompose(_ -> decide(work, meter));
  }

  private CompletableFuture<@Nullable Void> decide(JobWork work, SyncMeter meter) {
    if (works.get(work.object().uid()) != work) {
      return ClusterRequests.NOTHING;
    }
    Plan plan = plan(work);
    if (plan == null || plan.isIdle()) {
      meter.stop(plan != null);
      if (plan != null) {
        rest(work, plan);
      }
      return ClusterRequests.NOTHING;
    }
    Instant due = due(work, plan);
    if (!loop.now().isBefore(due)) {
      return execute(work, plan, meter);
    }
    if (!plan.create().isEmpty()) {
      return execute(work, plan.creating(), meter);
    }
    meter.stop(true);
    Instant again = plan.again();
    queue.addAt(work, again == null || due.isBefore(again) ? due : again);
    return ClusterRequests.NOTHING;
  }

  /** Returns null if the engine throws: a bug must not affect other Jobs. */
  private @Nullable Plan plan(JobWork work) {
    try {
      Plan plan =
          Decision.decide(
              work.view(),
              work.ledger,
              work.status(),
              options.gates(),
              options.engine().withMaxWaitingPods(work.podsWithin(MOST_WAITING_BYTES)),
              loop.now());
      if (LOG.isTraceEnabled()) {
        about(Level.TRACE, work.object()).addKeyValue("plan", plan).log("Decided");
      }
      return plan;
    } catch (RuntimeException bug) {
      about(Level.ERROR, work.object())
          .setCause(bug)
          .log("Internal error; leaving the Job unchanged until it changes");
      return null;
    }
  }

  /** Returns the time until which the status waits for changes that the same write can count. */
  private Instant due(JobWork work, Plan plan) {
    JobStatus status = plan.status();
    if (plan.urgency() == Plan.Urgency.NOW || status == null) {
      return Instant.MIN;
    }
    if (plan.urgency() == Plan.Urgency.LATER) {
      work.deferredUntil =
          Objects.requireNonNullElseGet(
              work.deferredUntil, () -> loop.now().plus(options.syncBatchPeriod()));
      return work.deferredUntil;
    }
    int finished = plan.untrack().size();
    Integer completions = work.view().spec().completions();
    int remaining =
        completions == null ? status.active() : completions - work.status().succeeded() - finished;
    StatusBatch batch = new StatusBatch(finished, remaining, work.statusWritten);
    Instant latest = loop.now().plus(options.longestStatusDelay());
    Instant due = batch.due(cost, options.longestStatusDelay());
    // After the clock was set back, the last write seems to lie in the future.
    return batch.isFull(options.engine().maxUncountedPods()) || due.isAfter(latest)
        ? Instant.MIN
        : due;
  }

  /** Does nothing more for a Job until it changes or the time of the plan comes. */
  private void rest(JobWork work, Plan plan) {
    Instant again = plan.again();
    work.deferredUntil = null;
    if (work.deleted) {
      drop(work);
    } else if (again != null) {
      queue.addAt(work, again);
    }
  }

  /** Carries out a plan, and then decides again. The queue retries failures. */
  private CompletableFuture<@Nullable Void> execute(JobWork work, Plan plan, SyncMeter meter) {
    return executor
        .execute(work, plan)
        .whenCompleteAsync(
            (_, failure) -> {
              meter.stop(plan, failure == null);
              if (failure == null) {
                work.deferredUntil = plan.status() == null ? work.deferredUntil : null;
                queue.add(work);
              }
            },
            loop);
  }

  /** Returns a log event with the Job as keys and values. */
  static LoggingEventBuilder about(Level level, KubeObject job) {
    return LOG.atLevel(level)
        .addKeyValue("job", job.namespace() + "/" + job.name())
        .addKeyValue("uid", job.uid());
  }
}
