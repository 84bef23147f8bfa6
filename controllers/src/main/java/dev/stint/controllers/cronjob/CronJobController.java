package dev.stint.controllers.cronjob;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.gc.OwnerReference;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.Timestamps;
import dev.stint.model.cron.CronSchedule;
import dev.stint.model.cron.TimeZones;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.EventRecorder;
import dev.stint.reconcile.Informer;
import dev.stint.reconcile.WorkQueue;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the Jobs of CronJobs when they are due (Kubernetes documentation, CronJob).
 *
 * <p>All of its state is in the statuses of CronJobs and in their Jobs, whose names contain the due
 * time. It may be stopped at any moment; its successor neither misses nor repeats a start, unless
 * somebody has deleted a Job whose start was not recorded yet. It makes up for the last missed time
 * only.
 */
public final class CronJobController implements Controller {
  private static final Duration LONGEST_TIMER = Duration.ofDays(1);
  private static final int DELETIONS_AT_ONCE = 8;
  private static final Logger LOG = LoggerFactory.getLogger(CronJobController.class);

  private final Cluster cluster;
  private final EventLoop loop;
  private final ZoneId zone;
  private final EventRecorder recorder;
  private final Informer cronJobs;
  private final Informer jobs;
  private final WorkQueue<String> queue;
  private final Map<String, ObjectRef> known = new HashMap<>();

  /** The Jobs of each CronJob, both by uid. */
  private final Map<String, Map<String, OwnedJob>> owned = new HashMap<>();

  /**
   * The Job of each CronJob, by its uid, that may have been created and is in no saved status. A
   * watch may report it late, and no other Job may start beside it until then.
   */
  private final Map<String, ObjectRef> unrecorded = new HashMap<>();

  private final ToldProblems told = new ToldProblems();

  private boolean cronJobsListed;

  /** True if statuses contain the time of the next start (KEP-6281). */
  private boolean showsNext;

  /**
   * Creates a controller that is not started yet.
   *
   * @param loop the event loop that runs all of its work
   * @param zone the time zone of CronJobs that name none
   */
  public CronJobController(
      Cluster cluster, EventLoop loop, Metrics metrics, ZoneId zone, FeatureGates gates) {
    this.cluster = cluster;
    this.loop = loop;
    this.zone = zone;
    this.showsNext = gates.has(Gate.CronJobsNextScheduleTime);
    this.recorder = new EventRecorder(cluster, loop.clock(), "cronjob-controller");
    this.queue = new WorkQueue<>("CronJob controller", loop, metrics.queue("cronjob"), this::work);
    this.cronJobs = new Informer(cluster, Kind.CRON_JOB, loop, new CronJobListener());
    this.jobs = new Informer(cluster, Kind.JOB, loop, new JobListener());
  }

  /** Starts following the API. Returns at once. */
  @Override
  public void start() {
    loop.execute(cronJobs::start);
  }

  /** Stops following the API and starting Jobs. Does not wait for writes in flight. */
  @Override
  public void close() {
    loop.execute(() -> {
      queue.close();
      cronJobs.close();
      jobs.close();
    });
  }

  private final class CronJobListener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject cronJob) {
      known.put(cronJob.uid(), cronJob.ref());
      queue.add(cronJob.uid());
    }

    @Override
    public void onDelete(String uid, String controller) {
      known.remove(uid);
      owned.remove(uid);
      unrecorded.remove(uid);
      told.forget(uid);
      recorder.forget(uid);
      queue.forget(uid);
    }

    @Override
    public void onSynced() {
      if (!cronJobsListed) {
        cronJobsListed = true;
        jobs.start();
      }
    }
  }

  private final class JobListener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject job) {
      String owner = owner(job);
      if (owner != null) {
        owned.computeIfAbsent(owner, _ -> new HashMap<>()).put(job.uid(), OwnedJob.of(job));
        onJobChange(owner);
      }
    }

    @Override
    public void onDelete(String uid, String controller) {
      forget(uid, controller);
    }

    /** A Job that was taken from its CronJob belongs neither to its history nor to its runs. */
    @Override
    public void onControllerChange(String uid, String former) {
      forget(uid, former);
    }

    private void forget(String uid, String owner) {
      Map<String, OwnedJob> siblings = owned.get(owner);
      if (siblings != null && siblings.remove(uid) != null) {
        if (siblings.isEmpty()) {
          owned.remove(owner);
        }
        onJobChange(owner);
      }
    }

    @Override
    public void onSynced() {
      queue.open();
    }
  }

  private void onJobChange(String owner) {
    if (known.containsKey(owner)) {
      queue.add(owner);
    }
  }

  private static @Nullable String owner(KubeObject job) {
    String controller = job.controllerUid();
    boolean ofCronJob =
        OwnerReference.of(job).stream()
            .anyMatch(owner -> owner.uid().equals(controller) && owner.isOf(Kind.CRON_JOB));
    return ofCronJob ? controller : null;
  }

  private CompletableFuture<@Nullable Void> work(String uid) {
    ObjectRef ref = known.get(uid);
    return ref == null
        ? ClusterRequests.NOTHING
        : ClusterRequests.find(cluster, ref)
            .thenComposeAsync(
                cronJob ->
                    cronJob == null || !cronJob.uid().equals(uid)
                        ? ClusterRequests.NOTHING
                        : sync(cronJob),
                loop);
  }

  /**
   * Saves the updated status before it starts any Job that depends on it, and before it deletes one
   * whose name prevents a second start.
   */
  private CompletableFuture<@Nullable Void> sync(KubeObject cronJob) {
    Collection<OwnedJob> own = List.copyOf(owned.getOrDefault(cronJob.uid(), Map.of()).values());
    CronStatus status = new CronStatus(cronJob);
    account(cronJob, status, own);
    return findUnrecorded(cronJob, status)
        .thenComposeAsync(_ -> dropMissing(cronJob, status, own), loop)
        .thenComposeAsync(_ -> saveRecorded(cronJob, status), loop)
        .thenComposeAsync(saved -> trimHistory(saved, own).thenApply(_ -> saved), loop)
        .thenComposeAsync(
            saved ->
                saved.deletionTimestamp() == null
                    ? schedule(saved, new CronStatus(saved))
                    : ClusterRequests.NOTHING,
            loop);
  }

  /** Records the current state of the Jobs, including starts that the status lost. */
  private void account(KubeObject cronJob, CronStatus status, Collection<OwnedJob> own) {
    for (OwnedJob job : own.stream().sorted(OwnedJob.OLDEST_FIRST).toList()) {
      boolean active = status.active.containsKey(job.uid());
      if (active && job.isFinished()) {
        status.active.remove(job.uid());
        String condition = job.outcome() == OwnedJob.JobEnd.COMPLETE ? "Complete" : "Failed";
        recordEvent(
            cronJob,
            "SawCompletedJob",
            "Saw completed job: %s, condition: %s".formatted(job.ref().name(), condition));
      } else if (!active && !job.isFinished() && job.scheduled() != null) {
        status.recordStart(job.uid(), job.ref(), job.scheduled());
      } else if (!active && !job.isFinished()) {
        recordEventOnce(
            cronJob,
            true,
            "UnexpectedJob",
            "Saw a job that the controller did not create or forgot: " + job.ref().name());
      }
      status.recordEnd(job, loop.now());
    }
  }

  /** Asks the API for a Job that may have been created, and records it if so. */
  private CompletableFuture<@Nullable Void> findUnrecorded(KubeObject cronJob, CronStatus status) {
    ObjectRef job = unrecorded.get(cronJob.uid());
    return job == null
        ? ClusterRequests.NOTHING
        : ClusterRequests.find(cluster, job)
            .thenAcceptAsync(
                found -> {
                  if (found != null && cronJob.uid().equals(found.controllerUid())) {
                    account(cronJob, status, List.of(OwnedJob.of(found)));
                  }
                },
                loop)
            .thenApply(_ -> null);
  }

  /** Removes Jobs that no longer exist from the active ones; asks the API about unknown Jobs. */
  private CompletableFuture<@Nullable Void> dropMissing(
      KubeObject cronJob, CronStatus status, Collection<OwnedJob> own) {
    Map<String, ObjectRef> missing = new HashMap<>(status.active);
    own.forEach(job -> missing.remove(job.uid()));
    return ClusterRequests.each(
        missing.entrySet(),
        1,
        entry ->
            ClusterRequests.find(cluster, entry.getValue())
                .thenAcceptAsync(
                    found -> {
                      if (found == null || !found.uid().equals(entry.getKey())) {
                        status.active.remove(entry.getKey());
                        recordEvent(
                            cronJob,
                            "MissingJob",
                            "Active job went missing: " + entry.getValue().name());
                      }
                    },
                    loop));
  }

  private CompletableFuture<@Nullable Void> trimHistory(
      KubeObject cronJob, Collection<OwnedJob> own) {
    return ClusterRequests.each(
        JobHistory.surplus(cronJob.spec(), own),
        DELETIONS_AT_ONCE,
        job ->
            delete(cronJob, job.uid(), job.ref())
                .exceptionallyAsync(failure -> onDeletionFailure(cronJob, job, failure), loop));
  }

  /** Reports a Job that cannot be deleted. Starts continue; the next sync retries the deletion. */
  private @Nullable Void onDeletionFailure(KubeObject cronJob, OwnedJob job, Throwable failure) {
    String cause = ClusterException.causeOf(failure).getMessage();
    recordEventOnce(
        cronJob, true, "FailedDelete", "Error deleting job " + job.ref().name() + ": " + cause);
    return null;
  }

  private CompletableFuture<@Nullable Void> delete(KubeObject cronJob, String uid, ObjectRef job) {
    return ClusterRequests.unlessGone(cluster.delete(job, DeleteOptions.only(uid)))
        .thenAcceptAsync(
            _ -> recordEvent(cronJob, "SuccessfulDelete", "Deleted job " + job.name()), loop)
        .thenApply(_ -> null);
  }

  private CompletableFuture<KubeObject> save(KubeObject cronJob, CronStatus status) {
    KubeObject changed = status.updated();
    return changed == null
        ? CompletableFuture.completedFuture(cronJob)
        : cluster.updateStatus(changed).thenApplyAsync(saved -> onSaved(status, saved), loop);
  }

  /** Saves a status that has all Jobs of the CronJob, as far as they exist. */
  private CompletableFuture<KubeObject> saveRecorded(KubeObject cronJob, CronStatus status) {
    return save(cronJob, status)
        .thenApplyAsync(
            saved -> {
              unrecorded.remove(cronJob.uid());
              return saved;
            },
            loop);
  }

  /** Stops showing the next time to an API that drops it: each sync would write it again. */
  private KubeObject onSaved(CronStatus status, KubeObject saved) {
    if (showsNext && status.nextSchedule != null && new CronStatus(saved).nextSchedule == null) {
      showsNext = false;
      LOG.warn(
          "The API drops status.nextScheduleTime of CronJobs, which is left out from now on: turn"
              + " on the feature gate CronJobsNextScheduleTime of the API server, and restart");
    }
    return saved;
  }

  private CompletableFuture<@Nullable Void> schedule(KubeObject cronJob, CronStatus status) {
    boolean suspended = Boolean.TRUE.equals(Json.bool(cronJob.spec(), "suspend"));
    ZoneId where = suspended ? null : zone(cronJob);
    CronSchedule when = where == null ? null : timetable(cronJob);
    if (where == null || when == null) {
      showNext(status, null);
      return save(cronJob, status).thenApply(_ -> null);
    }
    CronDueTimes times = dueTimes(cronJob, status, when, where);
    Instant due = mayStart(cronJob, status, times) ? times.latest() : null;
    if (due == null) {
      showNext(status, times.next());
    }
    return save(cronJob, status)
        .thenComposeAsync(
            saved -> {
              wakeAt(saved, times.next());
              return due == null
                  ? ClusterRequests.NOTHING
                  : startDue(saved, new CronStatus(saved), times, due, where);
            },
            loop);
  }

  /** Sets the next time. With the gate off, what an earlier controller wrote stays (KEP-6281). */
  private void showNext(CronStatus status, @Nullable Instant next) {
    if (showsNext) {
      status.nextSchedule = next;
    }
  }

  private CronDueTimes dueTimes(
      KubeObject cronJob, CronStatus status, CronSchedule when, ZoneId where) {
    Instant created = Objects.requireNonNullElse(cronJob.creationTimestamp(), loop.now());
    Long deadline = Json.longInteger(cronJob.spec(), "startingDeadlineSeconds");
    return CronDueTimes.of(
        when,
        where,
        Objects.requireNonNullElse(status.lastSchedule, created),
        deadline == null ? null : Duration.ofSeconds(deadline),
        loop.now());
  }

  /** Caps the delay: no timer has to run for months, and an early sync costs little. */
  private void wakeAt(KubeObject cronJob, @Nullable Instant next) {
    if (next != null) {
      Instant soon = loop.now().plus(LONGEST_TIMER);
      queue.addAt(cronJob.uid(), next.isBefore(soon) ? next : soon);
    }
  }

  private @Nullable ZoneId zone(KubeObject cronJob) {
    String name = Json.text(cronJob.spec(), "timeZone");
    ZoneId found = name == null ? zone : TimeZones.find(name);
    if (found == null) {
      recordEventOnce(cronJob, true, "UnknownTimeZone", "invalid timeZone: \"" + name + "\"");
    }
    return found;
  }

  private @Nullable CronSchedule timetable(KubeObject cronJob) {
    String text = Objects.requireNonNullElse(Json.text(cronJob.spec(), "schedule"), "");
    try {
      return CronSchedule.parse(text);
    } catch (CronSchedule.FormatException e) {
      String message = "unparseable schedule: \"" + text + "\" : " + e.getMessage();
      recordEventOnce(cronJob, true, "UnparseableSchedule", message);
      return null;
    }
  }

  /** True if a Job is due and nothing forbids its start; reports what does. */
  private boolean mayStart(KubeObject cronJob, CronStatus status, CronDueTimes times) {
    Instant due = times.latest();
    if (due == null) {
      return false;
    }
    if (times.late()) {
      String message = "Missed scheduled time to start a job: " + Timestamps.format(due);
      recordEventOnce(cronJob, true, "MissSchedule", message);
      return false;
    }
    if (times.manyMissed()) {
      recordEvent(
          cronJob,
          true,
          "TooManyMissedTimes",
          "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check"
              + " clock skew");
    }
    if (policy(cronJob).equals("Forbid") && !status.active.isEmpty()) {
      recordEventOnce(
          cronJob,
          false,
          "JobAlreadyActive",
          "Not starting job because prior execution is running and concurrency policy is Forbid");
      return false;
    }
    return true;
  }

  private static String policy(KubeObject cronJob) {
    return Objects.requireNonNullElse(Json.text(cronJob.spec(), "concurrencyPolicy"), "");
  }

  /** Starts the Job that is due; the status that records the start has the next time, too. */
  private CompletableFuture<@Nullable Void> startDue(
      KubeObject cronJob, CronStatus status, CronDueTimes times, Instant due, ZoneId where) {
    showNext(status, times.next());
    CompletableFuture<@Nullable Void> ready =
        policy(cronJob).equals("Replace") ? deleteActive(cronJob, status) : ClusterRequests.NOTHING;
    return ready.thenComposeAsync(_ -> create(cronJob, status, due, where), loop);
  }

  private CompletableFuture<@Nullable Void> deleteActive(KubeObject cronJob, CronStatus status) {
    List<Map.Entry<String, ObjectRef>> all = new ArrayList<>(status.active.entrySet());
    return ClusterRequests.each(
        all,
        DELETIONS_AT_ONCE,
        entry ->
            delete(cronJob, entry.getKey(), entry.getValue())
                .thenAcceptAsync(_ -> status.active.remove(entry.getKey()), loop));
  }

  private CompletableFuture<@Nullable Void> create(
      KubeObject cronJob, CronStatus status, Instant due, ZoneId where) {
    KubeObject job = CronJobMaker.job(cronJob, due, where);
    if (known.containsKey(cronJob.uid())) {
      unrecorded.put(cronJob.uid(), job.ref());
    }
    return cluster
        .create(job)
        .handleAsync(
            (created, failure) -> {
              if (failure == null) {
                recordEvent(cronJob, "SuccessfulCreate", "Created job " + job.name());
                return onStarted(cronJob, status, due, created);
              }
              return ClusterRequests.hasReason(failure, Reason.ALREADY_EXISTS)
                  ? onNameConflict(cronJob, status, due, job)
                  : onRefusal(cronJob, status, failure);
            },
            loop)
        .thenCompose(next -> next);
  }

  /** Handles a name conflict: the Job may be the one that an earlier try created. */
  private CompletableFuture<@Nullable Void> onNameConflict(
      KubeObject cronJob, CronStatus status, Instant due, KubeObject job) {
    return cluster
        .get(job.ref())
        .thenComposeAsync(
            found -> {
              if (cronJob.uid().equals(found.controllerUid())) {
                return onStarted(cronJob, status, due, found);
              }
              String message =
                  "Error creating job: %s exists and does not belong to this CronJob"
                      .formatted(job.ref());
              return onRefusal(
                  cronJob, status, new ClusterException(Reason.ALREADY_EXISTS, message));
            },
            loop);
  }

  private CompletableFuture<@Nullable Void> onStarted(
      KubeObject cronJob, CronStatus status, Instant due, KubeObject job) {
    told.forget(cronJob.uid());
    OwnedJob made = OwnedJob.of(job);
    if (made.isFinished()) {
      status.lastSchedule = due;
    } else {
      status.recordStart(made.uid(), made.ref(), due);
    }
    return saveRecorded(cronJob, status).thenApply(_ -> null);
  }

  /** Reports a refused Job and fails, so that it is tried again. The next time moves on. */
  private CompletableFuture<@Nullable Void> onRefusal(
      KubeObject cronJob, CronStatus status, Throwable failure) {
    Throwable cause = ClusterException.causeOf(failure);
    if (!ClusterRequests.isOutcomeUnknown(cause)) {
      unrecorded.remove(cronJob.uid());
    }
    recordEventOnce(cronJob, true, "FailedCreate", "Error creating job: " + cause.getMessage());
    return save(cronJob, status)
        .handle((_, _) -> cause)
        .thenCompose(why -> CompletableFuture.failedFuture(why));
  }

  private void recordEvent(KubeObject cronJob, String reason, String message) {
    recordEvent(cronJob, false, reason, message);
  }

  private void recordEvent(KubeObject cronJob, boolean warning, String reason, String message) {
    if (known.containsKey(cronJob.uid())) {
      recorder.event(cronJob, warning, reason, message);
    }
  }

  /** Records an event about a lasting problem, once between two starts. */
  private void recordEventOnce(KubeObject cronJob, boolean warning, String reason, String message) {
    if (known.containsKey(cronJob.uid()) && told.isNews(cronJob.uid(), reason, message)) {
      recordEvent(cronJob, warning, reason, message);
    }
  }
}
