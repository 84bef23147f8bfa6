package dev.stint.simulation;

import static dev.stint.model.job.JobCondition.COMPLETE;
import static dev.stint.model.job.JobCondition.FAILED;
import static dev.stint.model.job.JobCondition.FAILURE_TARGET;
import static dev.stint.model.job.JobCondition.SUCCESS_CRITERIA_MET;
import static dev.stint.model.job.JobCondition.SUSPENDED;

import dev.stint.engine.pod.PodView;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.JobStatus.Uncounted;
import dev.stint.model.job.PodFailurePolicy.Action;
import dev.stint.model.job.SuccessPolicy;
import dev.stint.model.pod.PodPhase;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The law that the outcome of a Job is decided exactly when the policies say so, and by the one
 * that takes precedence. A status shows what it was decided on, since it is stored only if the Job
 * has not changed since.
 */
final class DecisionLaws {
  private final History history;

  DecisionLaws(History history) {
    this.history = history;
  }

  void check(History.Job job, JobStatus after) {
    suspension(job, after);
    if (job.decided() || job.status.isFinished()) {
      return;
    }
    @Nullable String failure = failure(job, after);
    boolean succeeds =
        policyMet(job, after)
            || goalMet(job, after)
            || completed(job, after)
            || allowed(job, after);
    boolean fails = after.isTrue(FAILURE_TARGET) || after.isTrue(FAILED);
    boolean done = after.isTrue(SUCCESS_CRITERIA_MET) || after.isTrue(COMPLETE);
    if (failure != null) {
      require(!done, job, after, "succeeds in spite of " + failure);
      require(fails || !announces(false, job), job, after, "goes on in spite of " + failure);
    } else if (succeeds) {
      boolean mayFail =
          deadline(job, after) != null
              || exceedsLimitByPods(job, after)
              || failedIndexes(job, after, withUnlisted(job, after)) != null;
      boolean hidesFailure = mayFail && !announces(false, job);
      require(
          fails || done || hidesFailure || !announces(true, job),
          job,
          after,
          "goes on, though it succeeded");
    }
    if (fails || done) {
      decided(job, after);
    }
  }

  /** True if the pods that have failed are too many, with those that are not listed yet. */
  private boolean exceedsLimitByPods(History.Job job, JobStatus after) {
    Uncounted lists = Objects.requireNonNullElse(after.uncounted(), Uncounted.NONE);
    long unlisted =
        history
            .podsOf(job)
            .filter(pod -> pod.tracked() && !pod.hasSucceeded())
            .filter(pod -> pod.phase() == PodPhase.Failed || pod.deleting())
            .filter(pod -> !lists.failed().contains(pod.uid()))
            .filter(pod -> history.end(pod.uid()).meanings.contains(Action.Count))
            .count();
    return after.failed() + lists.failed().size() + unlisted > job.spec.backoffLimit();
  }

  private boolean announces(boolean success, History.Job job) {
    return StatusLaws.announces(success, job.spec, history.gates());
  }

  /**
   * A Job reports whether it is suspended until it ends. With the gates for interim conditions off,
   * a status does not show that the Job is about to end.
   */
  private void suspension(History.Job job, JobStatus after) {
    boolean decided =
        after.isTrue(SUCCESS_CRITERIA_MET) || after.isTrue(FAILURE_TARGET) || after.isFinished();
    boolean suspended = after.isTrue(SUSPENDED);
    boolean wanted = decided ? job.status.isTrue(SUSPENDED) : job.spec.suspend();
    boolean unchanged = suspended == job.status.isTrue(SUSPENDED);
    boolean mayHideItsEnd = !announces(false, job) || !announces(true, job);
    require(
        suspended == wanted || mayHideItsEnd && unchanged,
        job,
        after,
        "does not say whether it is suspended");
    require(
        decided || !announces(false, job) || suspended == (after.startTime() == null),
        job,
        after,
        "has a start time that is not its own");
    Instant before = job.status.startTime();
    require(
        before == null || after.startTime() == null || before.equals(after.startTime()),
        job,
        after,
        "starts twice");
  }

  /** Returns why the Job has to fail; null if the status gives no reason. */
  private @Nullable String failure(History.Job job, JobStatus after) {
    JobSpec spec = job.spec;
    Uncounted lists = Objects.requireNonNullElse(after.uncounted(), Uncounted.NONE);
    if (after.failed() + lists.failed().size() > spec.backoffLimit()) {
      return "its back-off limit";
    }
    if (lists.failed().stream().anyMatch(uid -> failsJob(job, uid))) {
      return "a FailJob rule";
    }
    return failedIndexes(
        job, after, Objects.requireNonNullElse(after.failedIndexes(), IndexSet.EMPTY));
  }

  /** Returns why the Job has to fail, if these indexes have failed. */
  private @Nullable String failedIndexes(History.Job job, JobStatus after, IndexSet failedIndexes) {
    if (!history.perIndex(job)) {
      return null;
    }
    int failed = failedIndexes.size();
    Integer most = job.spec.maxFailedIndexes();
    if (most != null && failed > most) {
      return "its maximum of failed indexes";
    }
    int completions = Objects.requireNonNullElse(job.spec.completions(), 0);
    return failed > 0
            && failed + after.completedIndexes().size() >= completions
            && !SuccessOracle.allowsFailedIndexes(job.object, job.spec)
        ? "failed indexes"
        : null;
  }

  /** True if all indexes have ended, and the Job is complete with those that failed. */
  private boolean allowed(History.Job job, JobStatus after) {
    return allowed(job, after, Objects.requireNonNullElse(after.failedIndexes(), IndexSet.EMPTY));
  }

  /** True if this would be so with failures that the status may have had no room to list. */
  private boolean allowedByPods(History.Job job, JobStatus after) {
    return allowed(job, after, withUnlisted(job, after));
  }

  /** Returns the failed indexes, with those that the status may have had no room to list. */
  private static IndexSet withUnlisted(History.Job job, JobStatus after) {
    IndexSet listed = Objects.requireNonNullElse(after.failedIndexes(), IndexSet.EMPTY);
    int completions = Objects.requireNonNullElse(job.spec.completions(), 0);
    IndexSet ended = job.everEnded.below(completions).minus(after.completedIndexes());
    return listed.union(ended);
  }

  private boolean allowed(History.Job job, JobStatus after, IndexSet failedIndexes) {
    int failed = failedIndexes.size();
    int completions = Objects.requireNonNullElse(job.spec.completions(), 0);
    return history.perIndex(job)
        && SuccessOracle.allowsFailedIndexes(job.object, job.spec)
        && failed > 0
        && failed + after.completedIndexes().size() >= completions;
  }

  private boolean goalMet(History.Job job, JobStatus after) {
    return history.gates().has(Gate.JobSuccessPolicy)
        && SuccessOracle.goalMet(job.object, job.spec, after);
  }

  private boolean failsJob(History.Job job, String uid) {
    PodView pod = history.pod(uid);
    return pod != null
        && pod.tracked()
        && !job.listedFailed.contains(uid)
        && history.end(uid).meanings.stream().allMatch(Action.FailJob::equals)
        && !history.end(uid).meanings.isEmpty();
  }

  private boolean policyMet(History.Job job, JobStatus after) {
    SuccessPolicy policy = job.spec.successPolicy();
    return policy != null
        && history.gates().has(Gate.JobSuccessPolicy)
        && policy.rules().stream().anyMatch(rule -> StatusLaws.met(rule, after));
  }

  private static boolean completed(History.Job job, JobStatus after) {
    Integer completions = job.spec.completions();
    Uncounted lists = Objects.requireNonNullElse(after.uncounted(), Uncounted.NONE);
    int succeeded = after.succeeded() + (job.spec.isIndexed() ? 0 : lists.succeeded().size());
    return completions == null ? succeeded > 0 && after.active() == 0 : succeeded >= completions;
  }

  private void decided(History.Job job, JobStatus after) {
    boolean success = after.isTrue(SUCCESS_CRITERIA_MET) || after.isTrue(COMPLETE);
    Instant deadline = deadline(job, after);
    String reason = reason(after);
    Instant at = at(after);
    if (deadline != null && success) {
      require(at.isBefore(deadline), job, after, "succeeds after its deadline");
    }
    if (reason.equals("DeadlineExceeded")) {
      require(deadline != null && !at.isBefore(deadline), job, after, "fails before its deadline");
    }
    if (success) {
      String plain = history.gates().has(Gate.JobSuccessPolicy) ? "CompletionsReached" : "";
      String right =
          policyMet(job, after) || goalMet(job, after)
              ? SuccessOracle.reason(job.object, job.spec, after)
              : completed(job, after) || !allowed(job, after) ? plain : "FailedIndexesAllowed";
      // An end counts from when it is seen, though there may be no room to list it.
      boolean maySeeMore =
          job.spec.isIndexed()
              ? reason.equals("FailedIndexesAllowed")
                  && right.equals(plain)
                  && !completed(job, after)
                  && allowedByPods(job, after)
              : SuccessOracle.hasGoal(job.object, job.spec)
                  && reason.equals(SuccessOracle.reason(job.object, job.spec, after));
      require(
          reason.equals(right) || maySeeMore,
          job,
          after,
          "succeeds for another reason than " + right);
    }
  }

  private static @Nullable Instant deadline(History.Job job, JobStatus after) {
    Long seconds = job.spec.activeDeadlineSeconds();
    Instant start = job.status.startTime() == null ? after.startTime() : job.status.startTime();
    return seconds == null || start == null || job.spec.suspend()
        ? null
        : start.plusSeconds(seconds);
  }

  private static Optional<JobCondition> decision(JobStatus after) {
    return after.conditions().stream()
        .filter(condition -> condition.isTrue() && !condition.type().equals(SUSPENDED))
        .filter(condition -> !condition.type().equals("stint.dev/LingeringEnded"))
        .findFirst();
  }

  private static String reason(JobStatus after) {
    return decision(after).map(JobCondition::reason).orElse("");
  }

  private static Instant at(JobStatus after) {
    return decision(after).map(JobCondition::transition).orElse(Instant.MIN);
  }

  private static void require(boolean holds, History.Job job, JobStatus status, String otherwise) {
    StatusLaws.require(holds, job, status, otherwise);
  }
}
