package dev.stint.simulation;

import static dev.stint.model.job.JobCondition.COMPLETE;
import static dev.stint.model.job.JobCondition.FAILED;
import static dev.stint.model.job.JobCondition.FAILURE_TARGET;
import static dev.stint.model.job.JobCondition.SUCCESS_CRITERIA_MET;

import dev.stint.engine.pod.PodView;
import dev.stint.engine.policy.PodReplacement;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.JobStatus.Uncounted;
import dev.stint.model.job.JobStatusValidation;
import dev.stint.model.job.PodFailurePolicy.Action;
import dev.stint.model.job.SuccessPolicy;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The laws of every durable change of a Job's status. */
final class StatusLaws {
  private final History history;
  private final DecisionLaws decisions;
  private final int maxUncounted;

  /**
   * @param maxUncounted the maximum number of pods that are listed as finished and not counted
   */
  StatusLaws(History history, int maxUncounted) {
    this.history = history;
    this.decisions = new DecisionLaws(history);
    this.maxUncounted = maxUncounted;
  }

  void check(History.Job job, KubeObject after, JobStatus status) {
    require(
        JobStatusValidation.update(job.object.tree(), after.tree(), history.gates()).isEmpty(),
        job,
        status,
        "breaks the rules");
    require(!job.status.isFinished(), job, status, "changes after its end");
    require(
        !history.foreign(job),
        job,
        status,
        "is written, although another controller manages the Job");
    conditions(job, status);
    decisions.check(job, status);
    counts(job, status);
    indexes(job, status);
    if (status.isFinished() && !job.status.isFinished()) {
      terminal(job, after, status);
    }
  }

  private void conditions(History.Job job, JobStatus after) {
    JobStatus before = job.status;
    for (String type : List.of(COMPLETE, FAILED, FAILURE_TARGET, SUCCESS_CRITERIA_MET)) {
      if (before.isTrue(type)) {
        require(before.condition(type).equals(after.condition(type)), job, after, type + " flips");
      }
    }
    require(
        !after.isTrue(COMPLETE) || before.isTrue(SUCCESS_CRITERIA_MET) || !announces(true, job),
        job,
        after,
        "is Complete without SuccessCriteriaMet before");
    require(
        !after.isTrue(FAILED) || before.isTrue(FAILURE_TARGET) || !announces(false, job),
        job,
        after,
        "is Failed without FailureTarget before");
    if (after.isTrue(SUCCESS_CRITERIA_MET) && !before.isTrue(SUCCESS_CRITERIA_MET)) {
      SuccessPolicy policy = job.spec.successPolicy();
      boolean byPolicy = reason(after, SUCCESS_CRITERIA_MET).equals("SuccessPolicy");
      require(
          !byPolicy
              || policy != null && policy.rules().stream().anyMatch(r -> met(r, after))
              || SuccessOracle.hasGoal(job.object, job.spec),
          job,
          after,
          "claims a success policy that is not met");
    }
  }

  private boolean announces(boolean success, History.Job job) {
    return announces(success, job.spec, history.gates());
  }

  /**
   * True if an interim condition announces an outcome. With both gates off, only that of a success
   * policy is announced (KEP-4368, Terminating pods and terminal Job conditions).
   */
  static boolean announces(boolean success, JobSpec spec, FeatureGates gates) {
    return delays(gates)
        || success && spec.successPolicy() != null && gates.has(Gate.JobSuccessPolicy);
  }

  /** True if a Job may end only once its pods have stopped. */
  private static boolean delays(FeatureGates gates) {
    return gates.has(Gate.JobManagedBy) || gates.has(Gate.JobPodReplacementPolicy);
  }

  static boolean met(SuccessPolicy.Rule rule, JobStatus status) {
    IndexSet wanted = rule.succeededIndexes();
    IndexSet done = status.completedIndexes();
    int count = wanted == null ? done.size() : done.intersectionSize(wanted);
    Integer needed = rule.succeededCount();
    return count >= (needed != null ? needed : Objects.requireNonNull(wanted).size());
  }

  private void counts(History.Job job, JobStatus after) {
    Uncounted before = lists(job.status);
    Uncounted now = lists(after);
    int listed = now.succeeded().size() + now.failed().size();
    require(listed <= maxUncounted, job, after, "lists too many pods");
    for (String uid : missing(before.succeeded(), now.succeeded())) {
      require(job.listedSucceeded.add(uid), job, after, "counts a success twice: " + uid);
      require(!job.listedFailed.contains(uid), job, after, "counts a failure as success: " + uid);
      PodView pod = history.pod(uid);
      boolean succeeded = job.podsThatSucceeded.contains(uid);
      boolean tracked = history.isMoved(uid) || pod != null && pod.tracked();
      require(succeeded && tracked, job, after, "makes up " + uid);
    }
    for (String uid : missing(before.failed(), now.failed())) {
      require(job.listedFailed.add(uid), job, after, "counts a failure twice: " + uid);
      require(!job.listedSucceeded.contains(uid), job, after, "counts a success as failure " + uid);
      PodView pod = history.pod(uid);
      // Somebody else may delete a pod, or change its conditions, as its Job releases it.
      boolean letGoMeanwhile =
          job.letGoDeleted.contains(uid)
              || job.letGoUncounted.contains(uid)
              || history.isMoved(uid) && !owns(job, pod) && mayHaveFailed(job, after, uid);
      require(letGoMeanwhile || mayFail(job, after, pod), job, after, "invents a failure: " + uid);
      if (pod != null && pod.hasStopped() && (!pod.deleting() || saysNoneTerminates(after))) {
        job.failedAndListed.add(uid);
      }
      require(
          failsAsAWhole(job, after) || !Set.of(Action.Ignore).equals(history.end(uid).meanings),
          job,
          after,
          "counts an ignored failure: " + uid);
    }
    int failed = left(job, after, before.failed(), now.failed());
    require(after.failed() == job.status.failed() + failed, job, after, "has a wrong failed count");
    int succeeded = left(job, after, before.succeeded(), now.succeeded());
    if (job.spec.isIndexed()) {
      require(
          after.succeeded() == after.completedIndexes().size(), job, after, "has a wrong count");
    } else {
      require(
          after.succeeded() == job.status.succeeded() + succeeded,
          job,
          after,
          "has a wrong succeeded count");
    }
  }

  /** True if a pod that was moved may have failed while the Job owned it. */
  private boolean mayHaveFailed(History.Job job, JobStatus after, String uid) {
    PodView pod = history.pod(uid);
    return pod == null
        || pod.deleting()
        || failsAsAWhole(job, after)
        || history.jobs.values().stream().anyMatch(each -> each.podsThatFailed.contains(uid));
  }

  private boolean owns(History.Job job, @Nullable PodView pod) {
    return pod != null && history.podsOf(job).anyMatch(each -> each.uid().equals(pod.uid()));
  }

  private static boolean saysNoneTerminates(JobStatus status) {
    return status.terminating() != null && status.terminating() == 0;
  }

  /** True if all pods of the Job may count as failures, whatever they do. */
  private boolean failsAsAWhole(History.Job job, JobStatus after) {
    return after.isTrue(FAILURE_TARGET) || !announces(false, job);
  }

  private boolean mayFail(History.Job job, JobStatus after, @Nullable PodView pod) {
    if (pod == null || !pod.tracked() && !history.isMoved(pod.uid())) {
      return false;
    }
    return failsAsAWhole(job, after)
        || job.podsThatFailed.contains(pod.uid())
        || pod.deleting() && !PodReplacement.waitsForStop(job.spec, history.gates());
  }

  /** Counts the uids that left a list; the finalizer of each pod has been removed. */
  private int left(History.Job job, JobStatus after, List<String> before, List<String> now) {
    Set<String> left = missing(now, before);
    for (String uid : left) {
      PodView pod = history.pod(uid);
      boolean tracked = pod != null && pod.tracked() && !history.isMoved(uid);
      require(!tracked, job, after, "counts a tracked pod: " + uid);
    }
    return left.size();
  }

  /** Returns the entries of one list that another lacks. */
  private static Set<String> missing(List<String> list, List<String> other) {
    Set<String> missing = new HashSet<>(other);
    list.forEach(missing::remove);
    return missing;
  }

  private static Uncounted lists(JobStatus status) {
    return Objects.requireNonNullElse(status.uncounted(), Uncounted.NONE);
  }

  private void indexes(History.Job job, JobStatus after) {
    int limit = Objects.requireNonNullElse(job.spec.completions(), Integer.MAX_VALUE);
    IndexSet before = job.status.completedIndexes().below(limit);
    require(after.completedIndexes().containsAll(before), job, after, "forgets a success");
    require(
        job.everSucceeded.containsAll(after.completedIndexes()), job, after, "invents a success");
    require(
        history.perIndex(job) || after.failedIndexes() == null, job, after, "has failed indexes");
    if (history.perIndex(job)) {
      IndexSet failedBefore = failedIndexes(job.status).below(limit);
      IndexSet failed = failedIndexes(after);
      require(failed.containsAll(failedBefore), job, after, "forgets a failed index");
      require(job.everEnded.containsAll(failed), job, after, "invents a failed index");
      require(
          failed.intersectionSize(after.completedIndexes()) == 0,
          job,
          after,
          "has an index that both failed and succeeded");
    }
  }

  private static IndexSet failedIndexes(JobStatus status) {
    return Objects.requireNonNullElse(status.failedIndexes(), IndexSet.EMPTY);
  }

  private void terminal(History.Job job, KubeObject object, JobStatus after) {
    require(
        after.active() == 0 && zero(after.ready()) && zero(after.terminating()),
        job,
        after,
        "has ended, but not its pods");
    require(
        history
            .podsOf(job)
            .filter(history::isKnown)
            .allMatch(pod -> pod.hasStopped() || pod.deleting() && !delays(history.gates())),
        job,
        after,
        "leaves pods that run");
    require(
        history.podsOf(job).noneMatch(pod -> pod.tracked() && history.isKnown(pod)),
        job,
        after,
        "leaves tracked pods");
    if (object.generation() == job.decidedAt && !job.otherGates && !job.disturbed) {
      reasonHolds(job, after);
      require(
          !leavesReplacements(job, after), job, after, "leaves an index that was to be replaced");
    }
  }

  /**
   * True if a Job that replaces pods after its success ends before an index that has begun, and
   * whose latest pod it did not let go itself.
   */
  private boolean leavesReplacements(History.Job job, JobStatus after) {
    int limit = Objects.requireNonNullElse(job.spec.completions(), 0);
    return SuccessOracle.lingers(job.object, job.spec, job.status)
        && SuccessOracle.linger(job.object, job.spec).equals("ContinueWithRecreations")
        && !after.isTrue("stint.dev/LingeringEnded")
        && history
            .podsOf(job)
            .filter(
                pod -> pod.created().isAfter(job.letGoAt.getOrDefault(pod.index(), Instant.MIN)))
            .mapToInt(PodView::index)
            .filter(index -> index >= 0 && index < limit)
            .anyMatch(index ->
                !after.completedIndexes().contains(index) && !failedIndexes(after).contains(index));
  }

  private static void reasonHolds(History.Job job, JobStatus after) {
    String reason = reason(after, after.isTrue(COMPLETE) ? COMPLETE : FAILED);
    Integer completions = job.spec.completions();
    int limit = job.spec.backoffLimit();
    boolean holds =
        switch (reason) {
          case "CompletionsReached", "" -> // Deleted pods may still succeed.
              after.succeeded() + succeededAtFirst(job, after)
                  >= Objects.requireNonNullElse(completions, 1);
          case "BackoffLimitExceeded" -> mostFailed(job, after) > limit || exceedsByRestarts(job);
          case "MaxFailedIndexesExceeded" ->
              mostFailedIndexes(job, after) + job.succeededDeleted.size() > most(job);
          case "FailedIndexesAllowed" ->
              hasEachIndex(job, after) && failedIndexes(after).size() <= most(job);
          case "FailedIndexes" ->
              SuccessOracle.allowsFailedIndexes(job.object, job.spec)
                  ? mostFailedIndexes(job, after) > most(job)
                  : hasEachIndex(job, after);
          default -> true;
        };
    require(holds, job, after, "ended for a reason that does not hold: " + reason);
  }

  private static boolean hasEachIndex(History.Job job, JobStatus after) {
    return job.spec.completions() != null
        && after.completedIndexes().size() + mostFailedIndexes(job, after)
            == job.spec.completions();
  }

  /**
   * Counts the indexes of the status, and those that had failed when the outcome was decided: one
   * that is not listed since a rule ignores the failure of its pod by a later condition.
   */
  private static int mostFailedIndexes(History.Job job, JobStatus after) {
    IndexSet failed = failedIndexes(after);
    int limit = Objects.requireNonNullElse(job.spec.completions(), Integer.MAX_VALUE);
    return job.listedFailed.containsAll(job.ignoredLate)
        ? failed.size()
        : failed.union(job.everEnded.below(limit).minus(after.completedIndexes())).size();
  }

  /**
   * Counts the successes, or their indexes, that were seen before there was room to record them,
   * and whose pods look evicted, and so failed, since.
   */
  private static int succeededAtFirst(History.Job job, JobStatus after) {
    List<String> evicted =
        job.evictedFailures.stream()
            .filter(job.podsThatSucceeded::contains)
            .filter(uid -> !job.listedSucceeded.contains(uid))
            .toList();
    return job.spec.isIndexed() && !evicted.isEmpty()
        ? job.everSucceeded.minus(after.completedIndexes()).size()
        : evicted.size();
  }

  private static int most(History.Job job) {
    return Objects.requireNonNullElse(job.spec.maxFailedIndexes(), Integer.MAX_VALUE);
  }

  /**
   * A pod that is being deleted counts as failed from then on (KEP-3939, TerminatingOrFailed), even
   * if there is no room to list it; and it may succeed before there is. A pod that is deleted
   * because the Job fails does not cause that failure. A failure may also get a condition for which
   * a rule ignores it, before there is room; or it is that of a pod that exited with 0 and looks
   * evicted, and another pod completes its index.
   */
  private static int mostFailed(History.Job job, JobStatus after) {
    long unlisted =
        Stream.concat(job.ignoredLate.stream(), job.evictedFailures.stream())
            .filter(uid -> !job.listedFailed.contains(uid))
            .count();
    return Math.toIntExact(after.failed() + job.succeededDeleted.size() + unlisted);
  }

  /** True if the containers of its pods have ever restarted too often, all pods together. */
  private static boolean exceedsByRestarts(History.Job job) {
    return job.spec.template().at("/spec/restartPolicy").asString("").equals("OnFailure")
        && job.restarts.values().stream().mapToInt(Integer::intValue).sum()
            >= Math.max(1, job.spec.backoffLimit());
  }

  /** The laws of a Job once nothing changes any more. */
  void checkEnd(History.Job job) {
    JobStatus status = job.status;
    require(status.isFinished(), job, status, "does not end");
    require(lists(status).isEmpty(), job, status, "leaves pods uncounted");
    require(
        status.failed() == job.listedFailed.size(), job, status, "has a wrong number of failures");
    require(
        job.spec.isIndexed() || status.succeeded() == job.listedSucceeded.size(),
        job,
        status,
        "has a wrong number of successes");
  }

  private static String reason(JobStatus status, String type) {
    return status.condition(type).map(JobCondition::reason).orElse("");
  }

  private static boolean zero(@Nullable Integer count) {
    return count == null || count == 0;
  }

  static void require(boolean holds, History.Job job, JobStatus status, String otherwise) {
    if (!holds) {
      throw new AssertionError(
          job.object
              + " "
              + otherwise
              + "\n  spec "
              + job.object.spec()
              + "\n  before "
              + job.status
              + "\n  after "
              + status);
    }
  }
}
