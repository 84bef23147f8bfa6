package dev.stint.controllers.mirror;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.controllers.metrics.MirrorMetrics;
import dev.stint.controllers.mirror.MirrorView.Evidence;
import dev.stint.model.FeatureGates;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.pod.PodPhase;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.EventRecorder;
import dev.stint.reconcile.Informer;
import dev.stint.reconcile.WorkQueue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands Jobs of one cluster, the manager, to another one, the worker, and mirrors their status back
 * (KEP-4368, Story 1). It takes the manager's Jobs whose {@code managedBy} is its claim. {@link
 * MirrorPlan} decides, and this class carries out.
 *
 * <p>It reads both Jobs again for each decision, so a late watch leads to no wrong conclusion. Two
 * controllers on the same clusters do no harm: all writes are conditional on what was read.
 */
public final class MirrorController implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(MirrorController.class);
  private static final int MOST_STEPS = 20;
  private static final int WIDTH = 32;

  private final Cluster manager;
  private final MirrorWorker target;
  private final Cluster worker;
  private final String claim;
  private final FeatureGates gates;
  private final EventLoop loop;
  private final MirrorMetrics metrics;
  private final ManagerJobs patches;
  private final Informer managerJobs;
  private final Informer workerJobs;
  private final ClusterHealth managerHealth;
  private final ClusterHealth workerHealth;
  private final PodSearch pods;
  private final WorkQueue<ObjectRef> queue;
  private final EventRecorder events;

  /** Jobs of the manager that are ours, by uid. */
  private final Map<String, ClaimedJob> claimed = new HashMap<>();

  /** All Jobs of the worker, by uid: any of them may occupy a name. */
  private final Map<String, ObjectRef> onWorker = new HashMap<>();

  /**
   * The propagation of deletions: a garbage collector may remove its finalizer before we see it.
   */
  private final Map<String, Propagation> deletions = new HashMap<>();

  private final OutageReports outage = new OutageReports();

  /** The copies that this mirror made, whatever became of their Jobs, by uid. */
  private final Map<String, MadeCopy> made = new HashMap<>();

  /** The newest copy of each Job of the manager, by the uid of the Job. */
  private final Map<String, MadeCopy> copies = new HashMap<>();

  private Runnable onWorkerHealth = () -> {};
  private boolean started;
  private boolean knowsCopies;
  private volatile boolean ready;

  /**
   * Creates a controller that is not started yet.
   *
   * @param claim the {@code managedBy} of the Jobs to take
   * @param gates the feature gates of the manager's API, for the validation of writes to it
   * @param loop the event loop that runs all of its work
   */
  public MirrorController(
      Cluster manager,
      MirrorWorker worker,
      String claim,
      FeatureGates gates,
      EventLoop loop,
      Metrics controllerMetrics,
      MirrorMetrics metrics) {
    this.manager = manager;
    this.target = worker;
    this.worker = worker.cluster();
    this.claim = claim;
    this.gates = gates;
    this.loop = loop;
    this.metrics = metrics;
    this.patches = new ManagerJobs(manager);
    this.pods = new PodSearch(this.worker, loop);
    this.queue = new WorkQueue<>("mirror", loop, controllerMetrics.queue("mirror"), this::work);
    this.events = new EventRecorder(manager, loop.clock(), "stint-mirror");
    this.managerJobs = new Informer(manager, Kind.JOB, loop, new ManagerListener());
    this.workerJobs = new Informer(this.worker, Kind.JOB, loop, new WorkerListener());
    this.managerHealth =
        new ClusterHealth("the manager cluster", manager, loop, this::onManagerChange);
    this.workerHealth = new ClusterHealth(target.title(), this.worker, loop, this::onWorkerChange);
  }

  /** Starts following both APIs. Returns at once. */
  @Override
  public void start() {
    loop.execute(() -> {
      managerHealth.probe();
      workerHealth.probe();
    });
  }

  /** Stops following the APIs. Does not wait for writes in flight. */
  @Override
  public void close() {
    loop.execute(() -> {
      queue.close();
      managerJobs.close();
      workerJobs.close();
      managerHealth.close();
      workerHealth.close();
    });
  }

  /** True if all Jobs of the manager are known. May be called on any thread. */
  public boolean isReady() {
    return ready;
  }

  MirrorWorker target() {
    return target;
  }

  /** Returns the health of the worker. Must be called on the event loop. */
  ClusterHealth workerHealth() {
    return workerHealth;
  }

  /** True if all copies on the worker are known. */
  boolean knowsCopies() {
    return knowsCopies;
  }

  /** Returns the worker's copy of a Job of the manager; empty if none is known. */
  Optional<CopySearch.Found> copyOf(String uid) {
    return Optional.ofNullable(copies.get(uid))
        .map(copy -> new CopySearch.Found(Objects.requireNonNull(target.name()), copy.moves()));
  }

  /**
   * Sets what to call when the worker is first known, becomes unreachable, or is back, and when its
   * copies are known.
   */
  void onWorkerHealth(Runnable listener) {
    onWorkerHealth = listener;
  }

  private void onManagerChange() {
    if (!started && managerHealth.identity() != null) {
      started = true;
      managerJobs.start();
      workerJobs.start();
    }
  }

  private void onWorkerChange() {
    outage.clear();
    metrics.onWorkerHealth(
        Objects.requireNonNullElse(target.name(), "worker"), workerHealth.problem() != null);
    claimed.values().forEach(job -> queue.add(job.ref()));
    made.values().forEach(copy -> queue.add(copy.ref()));
    onWorkerHealth.run();
  }

  /** Notes what a Job was told, unless the worker is back since. */
  private void noteOutage(KubeObject job, MirrorView view) {
    MirrorProblem problem = view.problem();
    if (problem != null && problem.equals(workerHealth.problem())) {
      outage.add(job);
    }
  }

  private record ClaimedJob(ObjectRef ref, boolean open) {}

  private final class ManagerListener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject job) {
      if (!MirrorPlan.isClaimed(claim, job) || !target.isAssigned(job)) {
        giveUp(job);
        return;
      }
      claimed.put(job.uid(), new ClaimedJob(job.ref(), MirrorPlan.isOpen(job)));
      if (job.deletionTimestamp() != null) {
        rememberPropagation(job);
      }
      if (MirrorPlan.isOpen(job)) {
        queue.add(job.ref());
      }
    }

    @Override
    public void onDelete(String uid, String controller) {
      ClaimedJob gone = claimed.remove(uid);
      deletions.remove(uid);
      outage.forget(uid);
      events.forget(uid);
      if (gone != null) {
        queue.add(gone.ref());
      }
    }

    @Override
    public void onSynced() {
      ready = true;
      queue.open();
    }
  }

  /** Handles a Job that is not this worker's, or not any more. */
  private void giveUp(KubeObject job) {
    deletions.remove(job.uid());
    if (claimed.remove(job.uid()) != null) {
      queue.add(job.ref());
    }
  }

  private void rememberPropagation(KubeObject job) {
    List<String> finalizers = job.finalizers();
    if (finalizers.contains(Names.ORPHAN_FINALIZER)) {
      deletions.put(job.uid(), Propagation.ORPHAN);
    } else if (finalizers.contains(Names.FOREGROUND_FINALIZER)) {
      deletions.put(job.uid(), Propagation.FOREGROUND);
    }
  }

  private final class WorkerListener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject job) {
      onWorker.put(job.uid(), job.ref());
      if (ownership().hasMade(job)) {
        putMade(job);
      }
      if (made.containsKey(job.uid())) { // It may have lost its ties.
        queue.add(job.ref());
      }
    }

    @Override
    public void onDelete(String uid, String controller) {
      ObjectRef ref = onWorker.remove(uid);
      MadeCopy copy = made.remove(uid);
      if (copy != null) {
        copies.remove(copy.of(), copy);
      }
      if (ref != null) {
        queue.add(ref);
      }
    }

    @Override
    public void onSynced() {
      knowsCopies = true;
      // A copy that went before it was listed is not reported.
      claimed.values().stream().filter(ClaimedJob::open).forEach(job -> queue.add(job.ref()));
      onWorkerHealth.run();
    }
  }

  private void putMade(KubeObject job) {
    MadeCopy copy = MadeCopy.read(job);
    made.put(copy.uid(), copy);
    copies.put(copy.of(), copy);
  }

  private MirrorOwnership ownership() {
    return new MirrorOwnership(Objects.requireNonNullElse(managerHealth.identity(), ""), claim);
  }

  private CompletableFuture<@Nullable Void> work(ObjectRef ref) {
    return ClusterRequests.find(manager, ref)
        .thenComposeAsync(job -> readCopy(ref, view(job)), loop);
  }

  private MirrorView view(@Nullable KubeObject job) {
    Propagation deletion =
        job == null
            ? Propagation.BACKGROUND
            : deletions.getOrDefault(job.uid(), Propagation.BACKGROUND);
    String identity = Objects.requireNonNullElse(workerHealth.identity(), "");
    return new MirrorView(
        ownership(),
        gates,
        loop.now().truncatedTo(java.time.temporal.ChronoUnit.SECONDS),
        target.name(),
        identity,
        deletion,
        job,
        false,
        null,
        null,
        null,
        workerHealth.problem());
  }

  private CompletableFuture<@Nullable Void> readCopy(ObjectRef ref, MirrorView view) {
    if (workerHealth.problem() != null) {
      KubeObject job = view.job();
      return job != null && outage.has(job) ? ClusterRequests.NOTHING : advance(ref, view, 0);
    }
    if (workerHealth.identity() == null) {
      return ClusterRequests.NOTHING; // All Jobs wait for the worker's first answer or failure.
    }
    return ClusterRequests.find(worker, ref)
        .whenCompleteAsync(
            (_, failure) -> {
              if (failure != null) {
                workerHealth.probe();
              }
            },
            loop)
        .thenComposeAsync(copy -> advance(ref, seen(view, copy), 0), loop);
  }

  private MirrorView seen(MirrorView view, @Nullable KubeObject copy) {
    return view.withCopy(copy).with(copy == null ? null : made.get(copy.uid()));
  }

  /** Carries out one step after another, until there is nothing to do. */
  private CompletableFuture<@Nullable Void> advance(ObjectRef ref, MirrorView view, int steps) {
    MirrorStep step = MirrorPlan.next(view);
    if (step instanceof MirrorStep.Rest) {
      return rest(ref, view);
    }
    if (steps == MOST_STEPS) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("mirroring " + ref + " never settles: " + step));
    }
    LOG.debug("Mirroring {}: {}", ref, step.getClass().getSimpleName());
    return act(ref, view, step).thenComposeAsync(after -> advance(ref, after, steps + 1), loop);
  }

  private CompletableFuture<@Nullable Void> rest(ObjectRef ref, MirrorView view) {
    Evidence evidence = view.evidence();
    KubeObject job = view.job();
    if (job != null && evidence != null && evidence.podsLeft() > 0) {
      queue.addAt(ref, loop.now().plus(LookDelay.of(job, loop.now())));
    }
    MirrorProblem problem = view.problem();
    return problem == null || workerHealth.problem() != null
        ? ClusterRequests.NOTHING
        : CompletableFuture.failedFuture(
            new ClusterException(
                Reason.INVALID, problem.reason().text() + ": " + problem.message()));
  }

  private CompletableFuture<MirrorView> act(ObjectRef ref, MirrorView view, MirrorStep step) {
    return switch (step) {
      case MirrorStep.Rest() -> CompletableFuture.completedFuture(view);
      case MirrorStep.AddFinalizer(KubeObject job) ->
          patches.addFinalizer(job).thenApply(view::withJob);
      case MirrorStep.RemoveFinalizer(KubeObject job) ->
          ClusterRequests.unlessGone(patches.removeFinalizer(job))
              .thenApply(_ -> view.withJob(null));
      case MirrorStep.Create(KubeObject copy) -> create(ref, view, copy);
      case MirrorStep.RecordCopy note ->
          patches.recordCopy(note.job(), note.copyUid(), note.worker()).thenApply(view::withJob);
      case MirrorStep.Change(KubeObject copy) ->
          worker
              .update(copy)
              .thenApply(view::withCopy)
              .exceptionallyCompose(
                  failure -> onRefusal(view, failure, MirrorProblem.Reason.ChangeRefused));
      case MirrorStep.Orphan(KubeObject copy) -> worker.update(copy).thenApply(view::withCopy);
      case MirrorStep.IdentifyManager() -> identifyManager(ref, view);
      case MirrorStep.Remove(KubeObject copy, Propagation how) ->
          ClusterRequests.unlessGone(worker.delete(ref, new DeleteOptions(copy.uid(), null, how)))
              .thenCompose(_ -> ClusterRequests.find(worker, ref))
              .thenApply(view::withCopy);
      case MirrorStep.Inspect inspect -> inspect(ref, view, inspect);
      case MirrorStep.CountPods(KubeObject copy) ->
          pods.find(copy.namespace(), pod -> runsFor(copy, pod))
              .thenApply(left -> view.with(new Evidence(view.worker(), left.size())));
      case MirrorStep.Report report -> report(view, report).thenApply(view::withJob);
    };
  }

  private CompletableFuture<MirrorView> create(ObjectRef ref, MirrorView view, KubeObject copy) {
    return worker
        .create(copy)
        .thenApply(view::withCopy)
        .exceptionallyCompose(failure ->
            ClusterRequests.hasReason(failure, Reason.ALREADY_EXISTS)
                ? ClusterRequests.find(worker, ref).thenApply(view::withCopy)
                : onRefusal(view, failure, MirrorProblem.Reason.CopyRefused));
  }

  /** Returns the view with a worker's refusal as its problem; all other failures are retried. */
  private static CompletableFuture<MirrorView> onRefusal(
      MirrorView view, Throwable failure, MirrorProblem.Reason reason) {
    Throwable cause = ClusterException.causeOf(failure);
    boolean passing =
        !(cause instanceof ClusterException answer)
            || answer.isTransient()
            || answer.reason() == Reason.CONFLICT;
    return passing
        ? CompletableFuture.failedFuture(cause)
        : CompletableFuture.completedFuture(
            view.with(
                new MirrorProblem(reason, "the worker cluster answers: " + cause.getMessage())));
  }

  /** Asks again for a Job that was not found, once it is sure that the manager answers. */
  private CompletableFuture<MirrorView> identifyManager(ObjectRef ref, MirrorView view) {
    return ClusterHealth.identity(manager)
        .<MirrorView>thenCompose(identity ->
            identity.equals(view.ownership().origin())
                ? ClusterRequests.find(manager, ref)
                    .thenApplyAsync(job -> seen(view(job).withJobOfManager(job), view.copy()), loop)
                : CompletableFuture.failedFuture(
                    new ClusterException(
                        Reason.UNAVAILABLE, "another cluster answers for the manager")))
        .whenCompleteAsync(
            (_, failure) -> {
              if (failure != null) {
                managerHealth.probe();
              }
            },
            loop);
  }

  /**
   * Asks again for a copy that was not found, once it is sure that its worker answers. Deletes the
   * pods of one that is gone, which may have been orphaned.
   */
  private CompletableFuture<MirrorView> inspect(
      ObjectRef ref, MirrorView view, MirrorStep.Inspect inspect) {
    return ClusterHealth.identity(worker)
        .thenCompose(identity ->
            identity.equals(inspect.worker())
                ? ClusterRequests.find(worker, ref)
                    .thenComposeAsync(copy -> inspect(view, inspect, copy), loop)
                : CompletableFuture.completedFuture(view.with(new Evidence(identity, 0))));
  }

  private CompletableFuture<MirrorView> inspect(
      MirrorView view, MirrorStep.Inspect inspect, @Nullable KubeObject copy) {
    return copy != null && copy.uid().equals(inspect.copyUid())
        ? CompletableFuture.completedFuture(seen(view, copy))
        : removePods(inspect).thenApply(left -> view.with(new Evidence(inspect.worker(), left)));
  }

  /** Deletes the pods of a deleted copy, and returns how many are left. */
  private CompletableFuture<Integer> removePods(MirrorStep.Inspect inspect) {
    return pods.find(inspect.job().namespace(), pod -> isOf(inspect, pod))
        .thenCompose(
            found -> ClusterRequests.each(found, WIDTH, this::remove).thenApply(_ -> found.size()));
  }

  /**
   * True if a pod is the copy's. A user may have written the uid of any Job to the manager's Job:
   * one of another name is not the copy.
   */
  private static boolean isOf(MirrorStep.Inspect copy, KubeObject pod) {
    return copy.copyUid().equals(pod.label(Names.CONTROLLER_UID))
        && copy.job().name().equals(pod.label(Names.JOB_NAME));
  }

  private static boolean runsFor(KubeObject copy, KubeObject pod) {
    return copy.uid().equals(pod.controllerUid()) && !PodPhase.of(pod).isTerminal();
  }

  private CompletableFuture<@Nullable Void> remove(KubeObject pod) {
    return pod.deletionTimestamp() != null
        ? ClusterRequests.NOTHING
        : ClusterRequests.unlessGone(worker.delete(pod.ref(), DeleteOptions.only(pod.uid())));
  }

  private CompletableFuture<KubeObject> report(MirrorView view, MirrorStep.Report report) {
    Function<KubeObject, KubeObject> told =
        written -> {
          noteOutage(written, view);
          report.events().forEach(news -> recordEvent(written, news));
          return written;
        };
    return manager.updateStatus(report.job()).thenApplyAsync(told, loop);
  }

  private void recordEvent(KubeObject job, MirrorStep.StatusEvent news) {
    if (news.warning()) {
      LOG.warn("Problem with mirroring {} ({}): {}", job.ref(), news.reason(), news.message());
      metrics.onProblem(news.reason());
    }
    events.event(job, news.warning(), news.reason(), news.message());
  }
}
