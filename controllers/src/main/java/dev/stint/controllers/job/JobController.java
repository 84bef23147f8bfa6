package dev.stint.controllers.job;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.metrics.JobMetrics;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.engine.pod.PodView;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ResourceVersions;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.EventAggregator;
import dev.stint.reconcile.EventRecorder;
import dev.stint.reconcile.Informer;
import dev.stint.reconcile.WorkQueue;
import dev.stint.reconcile.leader.Sharding;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The Job controller: follows Jobs and their pods, and queues each Job that has changed. {@link
 * JobSync} then asks the engine what to do, and does it.
 */
public final class JobController implements Controller {
  /** The time within which shards that are taken are read by one list. */
  private static final Duration TOGETHER = Duration.ofMillis(100);

  private final EventLoop loop;
  private final HeldShards shards;
  private final OwnJobs own;
  private final Informer jobs;
  private final Informer pods;
  private final Relist jobList;
  private final Relist podList;
  private final OrphanPods orphans;
  private final PodOwnership ownership;
  private final EventAggregator events;
  private final WorkQueue<JobWork> queue;
  private final JobSync sync;

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
    JobMetrics jobMetrics = metrics.jobs();
    PodListener podListener = new PodListener();
    this.loop = loop;
    this.shards = shards;
    this.jobs = new Informer(cluster, Kind.JOB, loop, new JobListener());
    this.pods = new Informer(cluster, Kind.POD, loop, podListener);
    this.jobList = new Relist(jobs, task -> loop.after(TOGETHER, task));
    this.podList = new Relist(pods, loop);
    this.orphans = new OrphanPods(cluster, shards, loop, metrics.queue("job_orphan_pod"));
    this.events =
        new EventAggregator(new EventRecorder(cluster, loop.clock(), "job-controller"), loop);
    this.queue =
        new WorkQueue<>(
            "Job controller", loop, metrics.queue("job"), options.concurrentSyncs(), this::sync);
    this.own = new OwnJobs(options, shards, podList, orphans, events, queue, jobMetrics, loop);
    this.sync = new JobSync(own, queue, jobs, pods, events, loop, jobMetrics, options);
    this.ownership = new PodOwnership(loop, pods, queue::add, podListener::onUpdate);
  }

  /** Starts following the API. Returns at once. */
  @Override
  public void start() {
    // Pods are listed after Jobs, so that a pod's Job is known before the pod is.
    loop.execute(() -> jobList.begin().thenCompose(_ -> podList.begin()));
  }

  @Override
  public void reconsider() {
    loop.execute(jobList::begin);
  }

  /**
   * Takes a shard: decides its Jobs once these and all pods have been listed anew.
   *
   * @param writes sends writes about the Jobs of the shard, for as long as they are ours
   */
  public void takeShard(int shard, Cluster writes) {
    loop.execute(
        () -> shards.take(shard, writes, jobList.request().thenCompose(_ -> podList.request())));
  }

  /**
   * Decides nothing more on the Jobs of a shard.
   *
   * @return completes when that holds; writes may still be in flight
   */
  public CompletableFuture<@Nullable Void> dropShard(int shard) {
    return CompletableFuture.supplyAsync(
        () -> {
          shards.drop(shard);
          own.leaveOthers();
          orphans.forgetOthers();
          return null;
        },
        loop);
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

  /** Keeps the Jobs that concern this controller, and queues those that have changed. */
  private final class JobListener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject job) {
      JobWork work = own.get(job.uid());
      if (work != null && own.mayKeep(job)) {
        update(work, job);
      } else if (work != null) {
        own.leave(work);
      } else if (own.mayTake(job)) {
        take(own.take(job));
      } else {
        own.leave(job);
      }
    }

    private void update(JobWork work, KubeObject job) {
      if (ResourceVersions.isNewer(job.resourceVersion(), work.object().resourceVersion())) {
        own.update(work, job);
        queue.add(work);
      }
    }

    private void take(JobWork work) {
      var _ = work.read().thenRun(() -> queue.add(work));
      ownership.adoptFor(work);
    }

    @Override
    public void onDelete(String uid, String controller) {
      orphans.onJobDeleted(uid);
      JobWork work = own.get(uid);
      if (work != null) {
        work.markDeleted();
        queue.add(work);
      }
    }

    @Override
    public void onSynced() {
      jobList.onEnd();
    }
  }

  /** Keeps the pods in the ledgers of their Jobs, and queues these. */
  private final class PodListener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject pod) {
      String owner = pod.controllerUid();
      if (owner == null) {
        ownership.onUncontrolled(pod);
        PodOwnership.adopter(own.unfinishedIn(pod.namespace()), pod)
            .ifPresentOrElse(work -> ownership.adopt(work, pod), () -> orphans.onUncontrolled(pod));
        return;
      }
      ownership.onControlled(pod.uid());
      orphans.onControlled(pod.uid());
      JobWork work = own.get(owner);
      if (work == null) {
        orphans.keep(owner, pod);
      } else {
        update(work, pod);
      }
    }

    private void update(JobWork work, KubeObject pod) {
      PodView known = work.ledger.pod(pod.uid());
      if (known == null && work.isSettled(pod)) {
        return;
      }
      if (known == null
          || ResourceVersions.isNewer(pod.resourceVersion(), known.resourceVersion())) {
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
      onLoss(uid, controller, JobWork::remove);
    }

    @Override
    public void onControllerChange(String uid, String former) {
      onLoss(uid, former, JobWork::lose);
    }

    private void onLoss(String uid, String former, BiConsumer<JobWork, String> loses) {
      JobWork work = own.get(former);
      if (work == null) {
        orphans.remove(former, uid);
      } else {
        loses.accept(work, uid);
        queue.add(work);
      }
    }

    /** Decisions start once all pods are known, so that existing pods are not created again. */
    @Override
    public void onSynced() {
      orphans.open();
      queue.open();
      podList.onEnd();
    }
  }

  private CompletableFuture<@Nullable Void> sync(JobWork work) {
    return sync.run(work);
  }
}
