package dev.stint.simulation;

import static dev.stint.model.job.JobCondition.FAILURE_TARGET;
import static dev.stint.model.job.JobCondition.SUCCESS_CRITERIA_MET;

import dev.stint.engine.pod.PodView;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.PodFailurePolicy.Action;
import dev.stint.model.job.PodReplacementPolicy;
import dev.stint.model.pod.PodPhase;
import java.util.List;
import java.util.Objects;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The laws of when a pod may be created, and when its tracking finalizer may be removed. */
final class PodLaws {
  private final History history;
  private final RetryLaws retries;
  private final StartupLaws startups;
  private final KeptPodsLaws kept;
  private final MemoryLaws memory;

  PodLaws(History history, RetryLaws retries, StartupLaws startups) {
    this.history = history;
    this.retries = retries;
    this.startups = startups;
    this.kept = new KeptPodsLaws(history);
    this.memory = new MemoryLaws(history);
  }

  void created(KubeObject pod) {
    if (OwnershipLaws.isByUser(null, pod)) {
      return;
    }
    History.Job job = history.jobOf(pod);
    PodView view = history.seen(pod);
    require(view.tracked(), view, "was created without the tracking finalizer");
    if (job == null || job.gone) {
      return;
    }
    JobStatus status = job.status;
    require(
        !job.decided() && !status.isFinished() || mayReplace(job, view),
        view,
        "was created after the Job was decided");
    require(!history.foreign(job), view, "was created for another's Job");
    require(
        job.possible.stream().anyMatch(spec -> !spec.suspend()),
        view,
        "was created for a suspended Job");
    room(job, view);
    if (job.spec.isIndexed()) {
      freeIndex(job, view);
    }
    if (!job.disturbedIndexes.contains(view.index())) {
      retries.created(job, view);
      memory.created(job, pod, view);
      Integer limit = job.spec.backoffLimitPerIndex();
      require(
          limit == null || view.failureCount() <= limit,
          view,
          "is beyond the backoff limit per index");
    }
    TemplateLaws.created(job, pod, view);
  }

  /** A Job that has succeeded replaces pods of indexes that have begun, if it asks for that. */
  private static boolean mayReplace(History.Job job, PodView view) {
    return SuccessOracle.lingers(job.object, job.spec, job.status)
        && SuccessOracle.linger(job.object, job.spec).equals("ContinueWithRecreations")
        && job.begun.contains(view.index());
  }

  /** The parallelism has room, and the completions lack a pod. */
  private void room(History.Job job, PodView view) {
    boolean onlyStopped = onlyStopped(job);
    long there =
        history
            .podsOf(job)
            .filter(history::isKnown)
            .filter(pod -> pod.isActive() || onlyStopped && pod.isTerminating())
            .count();
    require(there < most(job, JobSpec::parallelism), view, "exceeds the parallelism");
    if (!job.spec.isIndexed()) {
      JobStatus.Uncounted lists = lists(job.status);
      long active =
          history.podsOf(job).filter(pod -> pod.isActive() && history.isKnown(pod)).count();
      int succeeded = job.status.succeeded() + lists.succeeded().size();
      Integer completions = job.spec.completions();
      require(
          completions == null ? succeeded == 0 : active + succeeded < completions,
          view,
          "is one too many for the completions");
    }
  }

  private static int most(History.Job job, ToIntFunction<JobSpec> limit) {
    return job.possible.stream().mapToInt(limit).max().orElseThrow();
  }

  /** True if a pod that is being deleted has to stop before another one takes its place. */
  private boolean onlyStopped(History.Job job) {
    return job.spec.podFailurePolicy() != null
        || job.spec.podReplacementPolicy() == PodReplacementPolicy.Failed
            && history.gates().has(Gate.JobPodReplacementPolicy);
  }

  private static JobStatus.Uncounted lists(JobStatus status) {
    return Objects.requireNonNullElse(status.uncounted(), JobStatus.Uncounted.NONE);
  }

  private void freeIndex(History.Job job, PodView view) {
    require(view.index() >= 0, view, "has no index");
    require(!job.status.completedIndexes().contains(view.index()), view, "is of a succeeded index");
    require(
        view.index() < most(job, spec -> Objects.requireNonNullElse(spec.completions(), 0)),
        view,
        "is beyond the completions");
    require(
        !history.perIndex(job)
            || job.status.failedIndexes() == null
            || !job.status.failedIndexes().contains(view.index()),
        view,
        "is of a failed index");
    boolean onlyStopped = onlyStopped(job);
    List<PodView> others =
        history
            .podsOf(job)
            .filter(other -> other.index() == view.index() && history.isKnown(other))
            .filter(other -> other.isActive() || onlyStopped && other.isTerminating())
            .toList();
    require(others.isEmpty(), view, "has the index of " + others);
  }

  /**
   * @param after null if the pod was removed
   */
  void changed(KubeObject before, @Nullable KubeObject after) {
    PodView was = history.judged(before);
    require(
        !was.hasStopped() || after == null || history.seen(after).hasStopped(),
        was,
        "had ended and comes to life again");
    boolean released = was.tracked() && (after == null || !history.seen(after).tracked());
    History.Job job = history.jobOf(before);
    if (after != null) {
      startups.changed(job, before, after);
      RestartLaws.changed(job, before, after);
      if (!Objects.equals(before.controllerUid(), after.controllerUid())) {
        return; // OwnershipLaws are about this.
      }
    }
    if (job != null && released && !was.hasStopped()) {
      boolean lingers =
          !isDeleted(job)
              && !job.changed
              && was.isActive()
              && SuccessOracle.lingers(job.object, job.spec, job.status);
      require(!lingers, was, "is ended though it may go on after the success");
      job.letGo.add(was.uid());
      if (was.deleting()) {
        job.letGoDeleted.add(was.uid());
      }
      job.letGoAt.merge(was.index(), was.created(), (a, b) -> a.isAfter(b) ? a : b);
    }
    if (job != null && !isDeleted(job)) {
      deleted(was, after);
      kept.changed(job, was, after);
    }
    if (!released || job == null || isDeleted(job)) {
      return;
    }
    if (!job.status.isFinished()) {
      accounted(job, was, before);
    }
  }

  private static boolean isDeleted(History.Job job) {
    return job.gone || job.object.deletionTimestamp() != null;
  }

  /** A pod that is deleted because it is not wanted was released before. */
  private void deleted(PodView was, @Nullable KubeObject after) {
    if (was.tracked() && !was.deleting() && after != null && history.seen(after).deleting()) {
      require(history.deletedByOthers.contains(was.uid()), was, "is deleted before it is let go");
    }
  }

  /**
   * True if a pod has completed an index that is not counted yet, so that the pod must not be lost.
   */
  private boolean completedByAnother(History.Job job, PodView pod) {
    return history
        .podsOf(job)
        .anyMatch(other -> other.index() == pod.index() && other.hasSucceeded() && other.tracked());
  }

  /** True if a pod has failed an index for good, whether that is recorded yet or not. */
  private boolean failedByAnother(History.Job job, PodView pod) {
    return history.perIndex(job) && job.everEnded.contains(pod.index());
  }

  /**
   * True if the Job needs no more successes than it has and its other pods may bring, as far as the
   * controller knew: it may not have seen yet that one of them failed.
   */
  private boolean isSurplus(History.Job job) {
    Integer completions = job.spec.completions();
    JobStatus.Uncounted lists = lists(job.status);
    long hopeful =
        history
            .podsOf(job)
            .filter(pod -> pod.tracked() || pod.isActive())
            .filter(
                pod -> pod.phase() != PodPhase.Failed || job.failedSinceStatus.contains(pod.uid()))
            .filter(pod ->
                !lists.succeeded().contains(pod.uid()) && !lists.failed().contains(pod.uid()))
            .count();
    return !job.spec.isIndexed()
        && completions != null
        && job.status.succeeded() + lists.succeeded().size() + hopeful > completions;
  }

  /** The finalizer is removed only after a durable status accounts for the pod. */
  private void accounted(History.Job job, PodView pod, KubeObject released) {
    JobStatus.Uncounted lists = lists(job.status);
    if (lists.succeeded().contains(pod.uid()) || lists.failed().contains(pod.uid())) {
      return;
    }
    boolean done = job.spec.isIndexed() && recorded(job.status, pod.index());
    // It counts if it is seen late, and the Job fails or has the index again by then.
    if (job.hadNot(pod.index())
        && (job.status.isTrue(FAILURE_TARGET) || pod.phase() == PodPhase.Failed)) {
      job.letGoUncounted.add(pod.uid());
    }
    if (job.hadNot(pod.index())
        || done && (pod.hasSucceeded() || pod.evicted() || !pod.hasStopped())) {
      return;
    }
    boolean isNeedless =
        job.spec.isIndexed()
            ? completedByAnother(job, pod) || failedByAnother(job, pod)
            : isSurplus(job);
    if (pod.isActive() && isNeedless) {
      return;
    }
    require(!pod.hasSucceeded(), pod, "succeeded and is released uncounted");
    boolean ignored = history.end(pod.uid()).meanings.contains(Action.Ignore);
    if (pod.hasStopped()) {
      require(ignored, pod, "failed and is released uncounted");
    } else if (job.status.isTrue(FAILURE_TARGET)
        && Oracle.ruled(job.object, released, history.gates()) == Action.Ignore) {
      job.letGoUncounted.add(pod.uid());
      return; // The eviction of a pod of a Job that fails, too, is not counted.
    } else if (!job.status.isTrue(SUCCESS_CRITERIA_MET) && announces(job)) {
      require(!job.status.isTrue(FAILURE_TARGET), pod, "is released uncounted by a Job that fails");
      // Somebody else may delete a pod at the moment at which its Job releases it.
      boolean mayShrink = job.changed || job.disturbed;
      require(mayShrink || !pod.deleting(), pod, "is being deleted and is released uncounted");
      require(mayShrink, pod, "is let go by a Job that goes on");
    }
  }

  /** The laws of a Job's pods once nothing changes any more. */
  void checkEnd(History.Job job) {
    kept.checkEnd(job);
  }

  private boolean announces(History.Job job) {
    return StatusLaws.announces(true, job.spec, history.gates());
  }

  static boolean recorded(JobStatus status, int index) {
    return status.completedIndexes().contains(index)
        || status.failedIndexes() != null && status.failedIndexes().contains(index);
  }

  static void require(boolean holds, PodView pod, String otherwise) {
    if (!holds) {
      throw new AssertionError("pod " + pod.name() + " " + otherwise + ": " + pod);
    }
  }
}
