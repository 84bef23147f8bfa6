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
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assigns the manager's Jobs to workers, and takes them from workers that are lost. {@link
 * WorkerAssignment} decides, and this class carries out.
 *
 * <p>It decides nothing before the copies of each worker are known, or it is known not to answer:
 * otherwise the order of answers would choose. It waits for that half a minute at most.
 */
final class WorkerAssigner implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerAssigner.class);

  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

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
  private final OpenJobs open;

  /** Since when one or more workers can be used, by the steady clock. */
  private Instant usableSince;

  private boolean usable;
  private boolean synced;
  private boolean patient = true;
  private Runnable stopWaiting = () -> {};

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
    this.open =
        new OpenJobs(
            mirrors.stream().map(WorkerAssigner::name).collect(Collectors.toSet()), metrics);
    this.patches = new ManagerJobs(manager);
    this.events = new EventRecorder(manager, loop.clock(), "stint-mirror");
    this.queue =
        new WorkQueue<>(
            "mirror assignment", loop, controllerMetrics.queue("mirror_assignment"), this::work);
    this.jobs = new Informer(manager, Kind.JOB, loop, new Listener());
    this.usableSince = loop.steadyNow();
  }

  @Override
  public void start() {
    loop.execute(() -> {
      mirrors.forEach(mirror -> mirror.onWorkerHealth(this::onWorkerChange));
      jobs.start();
      stopWaiting = loop.after(LONGEST_WAIT, this::startWithoutTheRest);
    });
  }

  @Override
  public void close() {
    loop.execute(() -> {
      stopWaiting.run();
      queue.close();
      jobs.close();
      open.close();
    });
  }

  private final class Listener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject job) {
      if (!isConcerned(job)) {
        forget(job.uid());
        return;
      }
      OpenJob known = open.put(job);
      if (!isServed(known)) {
        queue.add(known.ref());
      }
    }

    @Override
    public void onDelete(String uid, String controller) {
      forget(uid);
      events.forget(uid);
    }

    @Override
    public void onSynced() {
      synced = true;
      openQueue();
    }
  }

  private void forget(String uid) {
    OpenJob forgotten = open.remove(uid);
    if (forgotten != null) {
      queue.forget(forgotten.ref());
    }
  }

  private void onWorkerChange() {
    boolean former = usable;
    usable = mirrors.stream().anyMatch(mirror -> mirror.workerHealth().isUsable());
    if (usable && !former) {
      usableSince = loop.steadyNow();
    }
    openQueue();
    open.matching(job -> !isServed(job)).forEach(queue::add);
  }

  private void startWithoutTheRest() {
    patient = false;
    openQueue();
  }

  private void openQueue() {
    if (synced && (!patient || mirrors.stream().allMatch(WorkerAssigner::isSettled))) {
      queue.open();
    }
  }

  /** True if a worker's copies are known, or it cannot be asked for them. */
  private static boolean isSettled(MirrorController mirror) {
    ClusterHealth health = mirror.workerHealth();
    return health.isKnown() && (mirror.knowsCopies() || !health.isUsable());
  }

  private boolean isConcerned(KubeObject job) {
    return MirrorPlan.isClaimed(claim, job) && MirrorPlan.isOpen(job);
  }

  /** True if a Job has a worker that can be used, and that is the cluster of its copy. */
  private boolean isServed(OpenJob job) {
    return mirrors.stream()
        .anyMatch(mirror ->
            name(mirror).equals(job.worker())
                && mirror.workerHealth().isUsable()
                && (job.cluster() == null
                    || job.cluster().equals(mirror.workerHealth().identity())));
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
    if (!open.has(job.uid())) {
      return ClusterRequests.NOTHING; // It was deleted meanwhile, or its creation is seen next.
    }
    open.put(job);
    return act(job, assignment().next(job, CopySearch.of(job.uid(), mirrors)));
  }

  private WorkerAssignment assignment() {
    List<WorkerState> workers =
        mirrors.stream()
            .map(mirror ->
                new WorkerState(
                    name(mirror),
                    mirror.target().selector(),
                    mirror.workerHealth().identity(),
                    timeOfDay(mirror.workerHealth().since()),
                    mirror.target().pods() - open.podsOf(name(mirror)),
                    mirror.workerHealth().isUsable(),
                    timeOfDay(mirror.workerHealth().silentSince())))
            .toList();
    return new WorkerAssignment(workers, options, loop.timeOfDay(usableSince), loop.now());
  }

  private @Nullable Instant timeOfDay(@Nullable Instant steadyTime) {
    return steadyTime == null ? null : loop.timeOfDay(steadyTime);
  }

  private CompletableFuture<@Nullable Void> act(KubeObject job, AssignmentStep step) {
    return switch (step) {
      case AssignmentStep.Keep(Instant until) -> {
        decideAgain(job, until);
        yield ClusterRequests.NOTHING;
      }
      case AssignmentStep.Assign(String worker, long moves) -> {
        LOG.debug("Assigning {} to {}", job.ref(), worker);
        open.put(job, worker); // At once, so that the next decision counts it.
        yield patches.assign(job, worker, moves).thenApply(_ -> null);
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
    LOG.warn("Problem with mirroring {} ({}): {}", job.ref(), problem.reason(), problem.message());
    metrics.onProblem(problem.reason().text());
    events.event(job, true, problem.reason().text(), problem.message());
  }

  private Instant now() {
    return loop.now().truncatedTo(ChronoUnit.SECONDS);
  }
}
