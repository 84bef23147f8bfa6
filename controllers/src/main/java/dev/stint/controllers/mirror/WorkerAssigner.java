package dev.stint.controllers.mirror;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.controllers.metrics.MirrorMetrics;
import dev.stint.controllers.mirror.OpenJobs.OpenJob;
import dev.stint.model.FeatureGates;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.EventRecorder;
import dev.stint.reconcile.Informer;
import dev.stint.reconcile.WorkQueue;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assigns the manager's Jobs to workers, and takes them from workers that are lost. {@link
 * WorkerAssignment} decides, and this class carries out.
 *
 * <p>It decides nothing before each worker has answered, or is known not to: otherwise the order of
 * answers would choose.
 */
final class WorkerAssigner implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerAssigner.class);

  private final Cluster manager;
  private final String claim;
  private final FeatureGates gates;
  private final EventLoop loop;
  private final MirrorMetrics metrics;
  private final List<MirrorController> mirrors;
  private final AssignmentOptions options;
  private final ManagerJobs patches;
  private final EventRecorder events;
  private final WorkQueue<ObjectRef> queue;
  private final Informer jobs;
  private final Instant start;

  private final OpenJobs open;

  private boolean synced;

  /**
   * Creates an assigner that is not started yet.
   *
   * @param mirrors one for each worker, in the order of preference
   */
  WorkerAssigner(
      Cluster manager,
      List<MirrorController> mirrors,
      String claim,
      FeatureGates gates,
      EventLoop loop,
      Metrics controllerMetrics,
      MirrorMetrics metrics,
      AssignmentOptions options) {
    this.manager = manager;
    this.mirrors = mirrors;
    this.claim = claim;
    this.gates = gates;
    this.loop = loop;
    this.metrics = metrics;
    this.options = options;
    this.open = new OpenJobs(metrics);
    this.patches = new ManagerJobs(manager);
    this.events = new EventRecorder(manager, loop.clock(), "stint-mirror");
    this.queue =
        new WorkQueue<>(
            "mirror assignment", loop, controllerMetrics.queue("mirror_assignment"), this::work);
    this.jobs = new Informer(manager, Kind.JOB, loop, new Listener());
    this.start = now();
  }

  @Override
  public void start() {
    loop.execute(() -> {
      mirrors.forEach(mirror -> mirror.onWorkerHealth(this::onWorkerChange));
      jobs.start();
    });
  }

  @Override
  public void close() {
    loop.execute(() -> {
      queue.close();
      jobs.close();
    });
  }

  private final class Listener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject job) {
      if (!isConcerned(job)) {
        open.remove(job.uid());
        return;
      }
      OpenJob known = open.put(job);
      if (!isServed(known)) {
        queue.add(known.ref());
      }
    }

    @Override
    public void onDelete(String uid, String controller) {
      open.remove(uid);
      events.forget(uid);
    }

    @Override
    public void onSynced() {
      synced = true;
      openQueue();
    }
  }

  private void onWorkerChange() {
    openQueue();
    open.matching(job -> !isServed(job)).forEach(queue::add);
  }

  private void openQueue() {
    if (synced && mirrors.stream().allMatch(mirror -> mirror.workerHealth().isKnown())) {
      queue.open();
    }
  }

  private boolean isConcerned(KubeObject job) {
    return MirrorPlan.isClaimed(claim, job) && MirrorPlan.isOpen(job);
  }

  /** True if a Job has a worker that can be used. */
  private boolean isServed(OpenJob job) {
    return mirrors.stream()
        .anyMatch(mirror ->
            name(mirror).equals(job.worker()) && mirror.workerHealth().awaySince() == null);
  }

  private static String name(MirrorController mirror) {
    return Objects.requireNonNull(mirror.target().name());
  }

  private CompletableFuture<@Nullable Void> work(ObjectRef ref) {
    return ClusterRequests.find(manager, ref)
        .thenComposeAsync(
            job -> job == null || !isConcerned(job) ? ClusterRequests.NOTHING : decide(job), loop);
  }

  private CompletableFuture<@Nullable Void> decide(KubeObject job) {
    open.put(job);
    return act(job, assignment().next(job));
  }

  private WorkerAssignment assignment() {
    List<WorkerState> workers =
        mirrors.stream()
            .map(mirror ->
                new WorkerState(
                    name(mirror),
                    mirror.target().selector(),
                    mirror.workerHealth().identity(),
                    mirror.target().pods() - open.podsOf(name(mirror)),
                    mirror.workerHealth().awaySince()))
            .toList();
    return new WorkerAssignment(workers, options, start, loop.now());
  }

  private CompletableFuture<@Nullable Void> act(KubeObject job, AssignmentStep step) {
    return switch (step) {
      case AssignmentStep.Keep(Instant until) -> {
        decideAgain(job, until);
        yield ClusterRequests.NOTHING;
      }
      case AssignmentStep.Assign(String worker) -> {
        LOG.debug("Assigning {} to {}", job.ref(), worker);
        open.put(job, worker); // At once, so that the next decision counts it.
        yield patches.assign(job, worker).thenApply(_ -> null);
      }
      case AssignmentStep.Move(String worker, String message) -> {
        open.put(job, worker);
        yield patches.move(job, worker).thenAcceptAsync(moved -> onMove(moved, message), loop);
      }
      case AssignmentStep.Refuse(MirrorProblem problem, Instant until) -> {
        decideAgain(job, until);
        yield report(job, problem);
      }
    };
  }

  private void decideAgain(KubeObject job, @Nullable Instant at) {
    if (at != null) {
      queue.addAt(job.ref(), at);
    }
  }

  private void onMove(KubeObject job, String message) {
    tell(job, new MirrorProblem(MirrorProblem.Reason.WorkerLost, message));
  }

  private CompletableFuture<@Nullable Void> report(KubeObject job, MirrorProblem problem) {
    MirrorStatus statuses = new MirrorStatus(job, gates);
    JobStatus wanted = statuses.withCondition(statuses.stored(), problem, "", now());
    if (wanted.equals(statuses.stored())) {
      return ClusterRequests.NOTHING;
    }
    return manager
        .updateStatus(statuses.with(wanted))
        .thenAcceptAsync(written -> tell(written, problem), loop);
  }

  private void tell(KubeObject job, MirrorProblem problem) {
    LOG.warn("Mirroring {}: {}: {}", job.ref(), problem.reason(), problem.message());
    metrics.onProblem(problem.reason().text());
    events.event(job, true, problem.reason().text(), problem.message());
  }

  private Instant now() {
    return loop.now().truncatedTo(ChronoUnit.SECONDS);
  }
}
