package dev.stint.controllers.mirror;

import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.JobStatus.Uncounted;
import dev.stint.model.job.JobStatusValidation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The status for the manager's Job: that of its copy, as far as the manager accepts it (KEP-4368,
 * Job status validation). The two differ in this:
 *
 * <ul>
 *   <li>{@code uncountedTerminatedPods} is empty, since those pods are not the manager's;
 *   <li>{@code startTime} stays while the manager's Job is not suspended, whatever the copy did
 *       meanwhile; {@code completionTime} stays once it is set, and is not before {@code
 *       startTime};
 *   <li>{@code Complete} and {@code Failed} wait until no pod of the copy is left, and come with
 *       {@code SuccessCriteriaMet} and {@code FailureTarget}, as workers before Kubernetes 1.31 do
 *       not have it;
 *   <li>conditions have the size of {@link ConditionLimits} at most;
 *   <li>indexes that the manager's Job no longer has are left out, and counters decrease only where
 *       validation allows it.
 * </ul>
 */
final class MirrorStatus {
  private static final String OLD_WORKER = "CompletionsReached";

  private final KubeObject job;
  private final JobSpec spec;
  private final JobStatus stored;
  private final FeatureGates gates;

  MirrorStatus(KubeObject job, FeatureGates gates) {
    this.job = job;
    this.spec = JobSpec.read(Objects.requireNonNullElseGet(job.spec(), Json::object));
    this.stored = JobStatus.read(job.status());
    this.gates = gates;
  }

  /** Returns the name of the manager's Job. */
  String name() {
    return job.name();
  }

  /** Returns the namespace of the manager's Job. */
  String namespace() {
    return job.namespace();
  }

  /** Returns the current status of the manager's Job. */
  JobStatus stored() {
    return stored;
  }

  /**
   * Returns the faults for which the manager would refuse a status; empty if it would accept it.
   */
  List<FieldError> faults(JobStatus wanted) {
    return JobStatusValidation.update(job.tree(), with(wanted).tree(), gates);
  }

  /** Returns the manager's Job with another status. */
  KubeObject with(JobStatus status) {
    ObjectNode tree = job.copy();
    tree.set("status", status.write());
    return KubeObject.of(tree);
  }

  /** True if a copy has ended and says that it has pods, which it may say for ever. */
  static boolean hasPodsAfterItsEnd(KubeObject copy) {
    JobStatus told = JobStatus.read(copy.status());
    return told.isFinished() && hasUnfinishedPods(told);
  }

  /** Converts the copy's status for the manager's Job. */
  JobStatus of(KubeObject copy) {
    return of(copy, JobStatus.read(copy.status()));
  }

  /** Converts the status of a copy whose pods have all ended, whatever it says. */
  JobStatus withoutPodsOf(KubeObject copy) {
    return of(copy, JobStatus.read(copy.status()).withUnfinished(0, 0, 0));
  }

  private JobStatus of(KubeObject copy, JobStatus told) {
    List<JobCondition> conditions = conditions(told);
    JobStatus wanted =
        new JobStatus(
            conditions,
            startTime(told, copy),
            null,
            told.active(),
            told.ready() == null ? null : Math.min(told.ready(), told.active()),
            told.terminating(),
            told.succeeded(),
            Math.max(stored.failed(), told.failed()),
            spec.isIndexed() ? within(told.completedIndexes()) : IndexSet.EMPTY,
            spec.backoffLimitPerIndex() == null || told.failedIndexes() == null
                ? null
                : within(told.failedIndexes()),
            Uncounted.NONE);
    return completed(counted(wanted, told));
  }

  /**
   * Returns the status with another condition about the mirror.
   *
   * @param problem null if there is none
   */
  JobStatus withCondition(
      JobStatus status, @Nullable MirrorProblem problem, String well, Instant now) {
    JobCondition wanted =
        problem == null
            ? new JobCondition(MirrorNames.CONDITION, true, "Mirrored", well, now)
            : new JobCondition(
                MirrorNames.CONDITION, false, problem.reason().text(), problem.message(), now);
    return status.with(lasting(ConditionLimits.limited(wanted)));
  }

  /**
   * Returns the status of a Job whose copy is gone: failing, or failed if no pod of the copy is
   * left. A Job that is known to succeed completes.
   */
  JobStatus ofLostCopy(int podsLeft, Instant now) {
    boolean succeeds = stored.isTrue(JobCondition.SUCCESS_CRITERIA_MET);
    boolean announced = succeeds || stored.isTrue(JobCondition.FAILURE_TARGET);
    JobStatus ending = withoutPods(podsLeft, startedBy(now));
    if (!announced) {
      ending = ending.with(ofLostCopy(JobCondition.FAILURE_TARGET, now));
    }
    if (podsLeft > 0) {
      return ending;
    }
    String end = succeeds ? JobCondition.COMPLETE : JobCondition.FAILED;
    return completed(ending.with(ofLostCopy(end, now)));
  }

  /** True if the outcome of the Job is announced, so that it must not run again. */
  boolean isAnnounced() {
    return stored.isTrue(JobCondition.SUCCESS_CRITERIA_MET)
        || stored.isTrue(JobCondition.FAILURE_TARGET);
  }

  /** Returns the end of a Job whose worker was lost after it had announced the outcome. */
  JobStatus ofAnnounced(Instant now) {
    boolean succeeds = stored.isTrue(JobCondition.SUCCESS_CRITERIA_MET);
    JobCondition said =
        stored
            .condition(succeeds ? JobCondition.SUCCESS_CRITERIA_MET : JobCondition.FAILURE_TARGET)
            .orElseThrow();
    String end = succeeds ? JobCondition.COMPLETE : JobCondition.FAILED;
    return completed(
        withoutPods(0, startedBy(now))
            .with(JobCondition.of(end, said.reason(), said.message(), now)));
  }

  /** Returns the status of a Job that has no copy yet. One that has moved lost its pods. */
  JobStatus ofNoCopy() {
    boolean hadPods = stored.active() > 0 || orZero(stored.terminating()) > 0;
    return hadPods ? withoutPods(0, stored.startTime()) : stored;
  }

  private static JobCondition ofLostCopy(String type, Instant now) {
    String message = "the copy on the worker cluster was deleted, and not by the mirror";
    return JobCondition.of(type, MirrorNames.COPY_DELETED, message, now);
  }

  private JobStatus withoutPods(int podsLeft, @Nullable Instant startTime) {
    return new JobStatus(
        stored.conditions(),
        startTime,
        null,
        0,
        0,
        podsLeft,
        stored.succeeded(),
        stored.failed(),
        stored.completedIndexes(),
        stored.failedIndexes(),
        Uncounted.NONE);
  }

  private Instant startedBy(Instant now) {
    return Objects.requireNonNullElse(stored.startTime(), now);
  }

  private IndexSet within(IndexSet indexes) {
    Integer completions = spec.completions();
    return completions == null ? indexes : indexes.below(completions);
  }

  private List<JobCondition> conditions(JobStatus told) {
    List<JobCondition> conditions = new ArrayList<>();
    boolean podsLeft =
        hasUnfinishedPods(told) || told.uncounted() != null && !told.uncounted().isEmpty();
    for (JobCondition condition : ConditionLimits.limited(told.conditions())) {
      if (condition.type().equals(MirrorNames.CONDITION)) {
        continue;
      }
      String interim = condition.isTrue() ? interim(condition.type()) : null;
      if (interim != null && !told.isTrue(interim)) {
        conditions.add(announcing(interim, condition));
      }
      if (interim == null || !podsLeft) {
        conditions.add(condition);
      }
    }
    stored.condition(MirrorNames.CONDITION).ifPresent(conditions::add);
    return conditions;
  }

  private static boolean hasUnfinishedPods(JobStatus told) {
    return told.active() > 0 || orZero(told.ready()) > 0 || orZero(told.terminating()) > 0;
  }

  /** Returns the interim condition that precedes a terminal condition; null for others. */
  private static @Nullable String interim(String type) {
    return switch (type) {
      case JobCondition.COMPLETE -> JobCondition.SUCCESS_CRITERIA_MET;
      case JobCondition.FAILED -> JobCondition.FAILURE_TARGET;
      default -> null;
    };
  }

  private static JobCondition announcing(String type, JobCondition end) {
    String reason = end.reason().isEmpty() ? OLD_WORKER : end.reason();
    return new JobCondition(type, true, reason, end.message(), end.transition());
  }

  private @Nullable Instant startTime(JobStatus told, KubeObject copy) {
    if (stored.startTime() != null && !spec.suspend()) {
      return stored.startTime();
    }
    return told.startTime() == null && told.isFinished()
        ? Objects.requireNonNullElse(stored.startTime(), copy.creationTimestamp())
        : told.startTime();
  }

  /** Returns the status with its completion time, if it is complete. */
  private JobStatus completed(JobStatus status) {
    Optional<JobCondition> complete =
        status.condition(JobCondition.COMPLETE).filter(JobCondition::isTrue);
    if (complete.isEmpty()) {
      return status;
    }
    Instant time = stored.completionTime();
    if (time == null) {
      time = Objects.requireNonNullElse(complete.get().transition(), Instant.EPOCH);
      if (status.startTime() != null && time.isBefore(status.startTime())) {
        time = status.startTime();
      }
    }
    return status.withCompletionTime(time);
  }

  /**
   * Returns the status with a number of successes that fits the indexes, and decreases only where
   * allowed.
   */
  private JobStatus counted(JobStatus status, JobStatus told) {
    boolean cut = status.completedIndexes().size() < told.completedIndexes().size();
    JobStatus fitting =
        cut && spec.isIndexed() ? status.withSucceeded(status.completedIndexes().size()) : status;
    boolean falls =
        fitting.succeeded() < stored.succeeded()
            && faults(fitting).stream().anyMatch(f -> f.path().equals("status.succeeded"));
    return falls ? fitting.withSucceeded(stored.succeeded()) : fitting;
  }

  /** Returns the existing condition if it says the same. */
  private JobCondition lasting(JobCondition wanted) {
    JobCondition before = stored.condition(wanted.type()).orElse(null);
    if (before == null || !before.status().equals(wanted.status())) {
      return wanted;
    }
    return before.with(wanted.reason(), wanted.message());
  }

  private static int orZero(@Nullable Integer count) {
    return count == null ? 0 : count;
  }

  /** True if a Job's status has a terminal condition. */
  static boolean isFinished(KubeObject job) {
    return JobStatus.read(job.status()).isFinished();
  }
}
