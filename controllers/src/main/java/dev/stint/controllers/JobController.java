package dev.stint.controllers;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.Recorder;
import dev.stint.cluster.Timers;
import dev.stint.controllers.metrics.JobMetrics;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.controllers.metrics.QueueMetrics;
import dev.stint.engine.Decision;
import dev.stint.engine.JobView;
import dev.stint.engine.Ledger;
import dev.stint.engine.Plan;
import dev.stint.engine.pod.PodView;
import dev.stint.engine.policy.Backoff;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The Job controller: follows Jobs and their pods, asks the engine what to do, and does it.
 *
 * <p>One Job has at most one plan under way. Results of its own writes are taken note of at once,
 * so that a decision never rests on less than what the controller itself has done. A Job is decided
 * on at once when it is idle; under load the changes that arrive while a plan is carried out are
 * handled together.
 */
public final class JobController implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(JobController.class);
  private static final Backoff RETRY = new Backoff(Duration.ofMillis(10), Duration.ofSeconds(10));

  /** How long after a failure news of a Job are left to wait at most. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(1);

  private static final Duration HANDS_RETRY = Duration.ofSeconds(1);

  private final Executor loop;
  private final InstantSource clock;
  private final Timers timers;
  private final RandomGenerator random;
  private final Metrics metrics;
  private final QueueMetrics queue;
  private final JobControllerOptions options;
  private final PodCreator creator;
  private final PlanExecutor executor;
  private final Recorder recorder;
  private final Informer jobs;
  private final Informer pods;
  private final Strays strays;
  private final Adoption adoption;
  private final PodListener podListener;
  private final Map<String, JobWork> works = new HashMap<>();
  private final Queue<JobWork> waiting = new ArrayDeque<>();
  private int busy;
  private boolean podsKnown;
  private boolean closed;

  /**
   * A controller that is not started yet.
   *
   * @param loop runs one task at a time, in order; everything that the controller does happens
   *     there
   * @param random for the jitter of retries; used there too
   * @param metrics what is told of all that
   */
  public JobController(
      Cluster cluster,
      Executor loop,
      InstantSource clock,
      Timers timers,
      RandomGenerator random,
      Metrics metrics,
      JobControllerOptions options) {
    this.metrics = metrics;
    this.queue = metrics.queue("job");
    this.loop = loop;
    this.clock = clock;
    this.timers = timers;
    this.options = options;
    this.recorder = new Recorder(cluster, clock, "job-controller");
    this.jobs = new Informer(cluster, Kind.JOB, loop, timers, new JobListener());
    this.podListener = new PodListener();
    this.pods = new Informer(cluster, Kind.POD, loop, timers, podListener);
    this.adoption = new Adoption(cluster);
    this.random = random;
    this.creator = new PodCreator(cluster, loop, options.gates(), recorder, pods, metrics.jobs());
    this.executor = new PlanExecutor(cluster, loop, options.gates(), recorder, creator, jobs, pods);
    this.strays = new Strays(cluster, loop, clock, timers);
  }

  /** Starts following the API. Returns at once. */
  @Override
  public void start() {
    loop.execute(jobs::start);
  }

  /** Stops following the API and deciding; writes that are under way are not waited for. */
  @Override
  public void close() {
    loop.execute(() -> {
      closed = true;
      jobs.close();
      pods.close();
      strays.close();
      works.values().forEach(work -> work.cancelTimer.run());
    });
  }

  private final class JobListener implements Informer.Listener {
    private boolean started;

    @Override
    public void put(KubeObject job) {
      JobWork work = works.get(job.uid());
      if (work != null) {
        if (Informer.isNewer(job.resourceVersion(), work.object().resourceVersion())) {
          work.update(job);
          changed(work);
        }
      } else if (options.claim().covers(job, options.gates()) && options.only().test(job)) {
        take(job);
      } else {
        leave(job);
      }
    }

    @Override
    public void gone(String uid, String controller) {
      strays.lost(uid);
      JobWork work = works.get(uid);
      if (work != null) {
        work.gone = true;
        changed(work);
      }
    }

    @Override
    public void listed() {
      // Pods are listed after Jobs, so that a pod's Job is known before the pod is.
      if (!started) {
        started = true;
        pods.start();
      }
    }
  }

  private final class PodListener implements Informer.Listener {
    @Override
    public void put(KubeObject pod) {
      String owner = pod.controllerUid();
      if (owner == null) {
        adoption.put(pod);
        adopter(pod).ifPresentOrElse(work -> adopt(work, pod), () -> strays.abandoned(pod));
        return;
      }
      adoption.remove(pod.uid());
      strays.owned(pod.uid());
      JobWork work = works.get(owner);
      if (work == null) {
        strays.put(owner, pod);
        return;
      }
      PodView known = work.ledger.pod(pod.uid());
      if (known == null && isSettled(work, pod)) {
        return;
      }
      if (known == null || Informer.isNewer(pod.resourceVersion(), known.resourceVersion())) {
        work.put(PodView.of(pod));
        changed(work);
      }
      if (pods.isCurrent(pod)) {
        releaseUnlessMatching(work, pod);
      }
    }

    @Override
    public void gone(String uid, String controller) {
      adoption.remove(uid);
      strays.owned(uid);
      moved(uid, controller);
    }

    /** Somebody took the pod from its Job, or all is over with it. */
    @Override
    public void moved(String uid, String former) {
      JobWork work = works.get(former);
      if (work == null) {
        strays.gone(former, uid);
      } else {
        work.remove(uid);
        changed(work);
      }
    }

    @Override
    public void listed() {
      strays.settle();
      if (!podsKnown) {
        podsKnown = true;
        works.values().forEach(JobController.this::schedule);
      }
    }
  }

  /** A pod that has been counted, of a Job that is over: there may be a million of them. */
  private static boolean isSettled(JobWork work, KubeObject pod) {
    return work.status().finished()
        && PodPhase.isTerminal(pod.statusText("phase"))
        && !Strays.isTracked(pod);
  }

  private void leave(KubeObject job) {
    String manager = Json.text(job.spec(), "managedBy");
    if (strays.leave(job.uid())
        && manager != null
        && !options.claim().covers(job, options.gates())) {
      about(Level.INFO, job).addKeyValue("controller", manager).log("left to another controller");
      metrics.jobs().leftToOthers(manager);
    }
  }

  private void take(KubeObject job) {
    JobWork fresh = new JobWork(job, new Ledger(rules(job)), metrics.jobs());
    works.put(job.uid(), fresh);
    for (PodView pod : strays.claim(job.uid())) {
      fresh.put(pod);
    }
    changed(fresh);
    if (mayAdopt(fresh)) {
      adoption.of(job).forEach(pod -> adopt(fresh, pod));
    }
  }

  /** The Job that a pod without a controller becomes one of. */
  private Optional<JobWork> adopter(KubeObject pod) {
    return pod.deletionTimestamp() != null
        ? Optional.empty()
        : works.values().stream()
            .filter(work -> mayAdopt(work) && Adoption.matches(work.object(), pod))
            .findFirst();
  }

  private static boolean mayAdopt(JobWork work) {
    return !work.gone && !work.view().deleting() && !work.status().finished();
  }

  private void adopt(JobWork work, KubeObject pod) {
    work.changingHands++;
    adoption
        .adopt(work.object(), pod)
        .whenCompleteAsync((now, failure) -> changedHands(work, pod, now, failure), loop);
  }

  /** A pod whose labels were changed so that it is the Job's no more is let go, uncounted. */
  private void releaseUnlessMatching(JobWork work, KubeObject pod) {
    // The label is almost always all that a selector asks for.
    if (!mayAdopt(work)
        || pod.deletionTimestamp() != null
        || work.object().uid().equals(pod.label(Names.CONTROLLER_UID))
        || Adoption.matches(work.object(), pod)) {
      return;
    }
    work.changingHands++;
    adoption
        .release(work.object(), pod)
        .whenCompleteAsync((now, failure) -> changedHands(work, pod, now, failure), loop);
  }

  private void changedHands(
      JobWork work, KubeObject pod, @Nullable KubeObject now, @Nullable Throwable failure) {
    work.changingHands--;
    if (failure != null && !closed) {
      about(Level.WARN, work.object())
          .setCause(failure)
          .log("{} changes hands: trying again in {}", pod, HANDS_RETRY);
      timers.after(HANDS_RETRY, () -> loop.execute(() -> tryAgain(pod)));
    } else if (now != null && work.object().uid().equals(now.controllerUid())) {
      adoption.remove(now.uid());
      if (pods.isNews(now)) {
        work.put(PodView.of(now));
      }
    } else if (now != null) {
      work.remove(now.uid());
    }
    add(work);
    if (!work.busy) {
      schedule(work);
    }
  }

  /** Not with what has been overtaken: the pod may have changed, or be gone. */
  private void tryAgain(KubeObject pod) {
    if (!closed && pods.isCurrent(pod)) {
      podListener.put(pod);
    }
  }

  private Ledger.Rules rules(KubeObject job) {
    return Ledger.Rules.of(JobView.of(job).spec(), options.gates(), options.engine().backoff());
  }

  private void changed(JobWork work) {
    if (!work.dirty) {
      add(work);
      if (!work.busy) {
        schedule(work);
      }
    }
  }

  private void add(JobWork work) {
    if (!work.dirty) {
      work.dirty = true;
      work.dirtySince = clock.instant();
      queue.added();
    }
  }

  /**
   * Decides soon: behind what the executor has to do already, and after a failure not at once.
   * Never before all pods are known, lest those that exist be created again.
   */
  private void schedule(JobWork work) {
    if (!podsKnown) {
      return;
    }
    Duration silence = Duration.between(clock.instant(), work.notBefore);
    if (work.notBefore.equals(Instant.MIN) || !silence.isPositive()) {
      loop.execute(() -> sync(work));
    } else {
      lookAgain(work, silence);
    }
  }

  private void lookAgain(JobWork work, Duration delay) {
    work.cancelTimer.run();
    work.cancelTimer = timers.after(delay, () -> loop.execute(() -> sync(work)));
  }

  private void sync(JobWork work) {
    if (closed || work.busy || work.changingHands > 0 || works.get(work.object().uid()) != work) {
      return;
    }
    if (busy >= options.concurrentSyncs() || !waiting.isEmpty()) {
      waiting.add(work); // Behind those that wait already, so that none waits for ever.
      loop.execute(this::syncWaiting);
      return;
    }
    decide(work);
  }

  private void decide(JobWork work) {
    add(work);
    work.dirty = false;
    Instant start = clock.instant();
    queue.started(work.object().uid(), Duration.between(work.dirtySince, start));
    if (!work.unanswered.isEmpty()) {
      carryOut(work, start, JobMetrics.SyncAction.reconciling, () -> creator.resolve(work));
      return;
    }
    Plan plan = plan(work, start);
    if (LOG.isTraceEnabled()) {
      about(Level.TRACE, work.object()).addKeyValue("plan", plan).log("decided");
    }
    if (plan != null && !plan.idle() && !(plan.mayWait() && waits(work))) {
      work.waitsUntil = null;
      carryOut(work, start, action(plan), () -> executor.execute(work, plan));
      return;
    }
    done(work, start, JobMetrics.SyncAction.reconciling, plan != null);
    if (plan != null && plan.idle()) {
      rest(work, plan);
    } else if (plan != null && work.waitsUntil != null) {
      lookAgain(work, Duration.between(clock.instant(), work.waitsUntil));
    }
  }

  /** Null where there is a fault of ours: nobody else is to suffer from it. */
  private @Nullable Plan plan(JobWork work, Instant now) {
    try {
      return Decision.decide(
          work.view(), work.ledger, work.status(), options.gates(), options.engine(), now);
    } catch (RuntimeException fault) {
      about(Level.ERROR, work.object())
          .setCause(fault)
          .log("cannot decide; the Job is left as it is until it changes");
      return null;
    }
  }

  private static JobMetrics.SyncAction action(Plan plan) {
    if (!plan.create().isEmpty()) {
      return JobMetrics.SyncAction.pods_created;
    }
    if (!plan.release().isEmpty()) {
      return JobMetrics.SyncAction.pods_deleted;
    }
    return plan.untrack().isEmpty()
        ? JobMetrics.SyncAction.reconciling
        : JobMetrics.SyncAction.tracking;
  }

  private void done(JobWork work, Instant start, JobMetrics.SyncAction action, boolean success) {
    Duration took = Duration.between(start, clock.instant());
    queue.done(work.object().uid(), took);
    metrics.jobs().synced(work.view().spec().indexed(), action, success, took);
  }

  /** Whether there is time yet for others to be counted in the same write. */
  private boolean waits(JobWork work) {
    Instant now = clock.instant();
    if (work.waitsUntil == null) {
      work.waitsUntil = now.plus(options.syncBatchPeriod());
    }
    return now.isBefore(work.waitsUntil);
  }

  private void syncWaiting() {
    while (busy < options.concurrentSyncs() && !waiting.isEmpty()) {
      JobWork work = waiting.remove();
      if (!closed
          && !work.busy
          && work.changingHands == 0
          && works.get(work.object().uid()) == work) {
        decide(work);
      }
    }
  }

  private void rest(JobWork work, Plan plan) {
    if (work.gone) {
      works.remove(work.object().uid());
      recorder.forget(work.object().uid());
    }
    Instant again = plan.again();
    if (again != null) {
      Duration delay = Duration.between(clock.instant(), again);
      lookAgain(work, delay.isNegative() ? Duration.ZERO : delay);
    }
  }

  /** Does something about a Job, and nothing else about it meanwhile. */
  private void carryOut(
      JobWork work,
      Instant start,
      JobMetrics.SyncAction action,
      Supplier<CompletableFuture<@Nullable Void>> act) {
    work.busy = true;
    busy++;
    work.cancelTimer.run();
    CompletableFuture<@Nullable Void> done;
    try {
      done = act.get();
    } catch (RuntimeException fault) {
      done = CompletableFuture.failedFuture(fault);
    }
    done.handleAsync(
            (_, failure) -> {
              carriedOut(work, failure);
              done(work, start, action, failure == null);
              return work;
            },
            loop)
        .exceptionally(fault -> {
          about(Level.ERROR, work.object()).setCause(fault).log("a fault after a sync");
          return work;
        });
  }

  private void carriedOut(JobWork work, @Nullable Throwable failure) {
    work.busy = false;
    busy--;
    loop.execute(this::syncWaiting);
    if (failure != null) {
      failed(work, failure);
      return;
    }
    work.failures = 0;
    work.notBefore = Instant.MIN;
    add(work);
    schedule(work);
  }

  private static boolean expected(ClusterException refused) {
    return refused.passing()
        || refused.isWithheld() // Whoever leads goes on, and has said so.
        || refused.reason() == ClusterException.Reason.CONFLICT
        || refused.reason() == ClusterException.Reason.NOT_FOUND;
  }

  private void failed(JobWork work, Throwable failure) {
    Throwable cause = ClusterException.causeOf(failure);
    if (closed) {
      return;
    }
    work.failures++;
    queue.retried();
    Duration delay = jittered(RETRY.delay(work.failures));
    if (!(cause instanceof ClusterException refused)) {
      about(Level.ERROR, work.object()).setCause(cause).log("trying again in {}", delay);
    } else if (work.failures > 1 || expected(refused)) {
      about(Level.DEBUG, work.object()).log("trying again in {}: {}", delay, refused.getMessage());
    } else {
      about(Level.WARN, work.object())
          .addKeyValue("reason", refused.reason())
          .log("trying again until it works: {}", refused.getMessage());
    }
    Duration silence = delay.compareTo(LONGEST_SILENCE) < 0 ? delay : LONGEST_SILENCE;
    work.notBefore = clock.instant().plus(silence);
    lookAgain(work, work.dirty ? silence : delay);
  }

  /** Between half of a delay and all of it, so that Jobs which failed together come apart. */
  private Duration jittered(Duration delay) {
    return Duration.ofNanos((long) (delay.toNanos() * (0.5 + random.nextDouble() / 2)));
  }

  /** A line of the log, with what it is about as keys and values. */
  static LoggingEventBuilder about(Level level, KubeObject job) {
    return LOG.atLevel(level)
        .addKeyValue("job", job.namespace() + "/" + job.name())
        .addKeyValue("uid", job.uid());
  }
}
