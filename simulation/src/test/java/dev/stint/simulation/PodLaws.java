package dev.stint.simulation;

import static dev.stint.model.job.JobCondition.FAILURE_TARGET;
import static dev.stint.model.job.JobCondition.SUCCESS_CRITERIA_MET;

import dev.stint.engine.pod.PodView;
import dev.stint.engine.policy.PodFailureRules;
import dev.stint.engine.policy.PodReplacement;
import dev.stint.engine.policy.Situation;
import dev.stint.model.FeatureGates;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.PodFailurePolicy.Action;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** When a pod may be created, and when its tracking finalizer may come off. */
final class PodLaws {
  private final History history;
  private final FeatureGates gates;

  PodLaws(History history, FeatureGates gates) {
    this.history = history;
    this.gates = gates;
  }

  void created(KubeObject pod) {
    History.Job job = history.jobOf(pod);
    PodView view = PodView.of(pod);
    require(view.tracked(), view, "was created without the tracking finalizer");
    if (job == null || job.gone) {
      return;
    }
    JobStatus status = job.status;
    require(!decided(status) && !status.finished(), view, "was created after the Job was decided");
    if (job.spec.indexed()) {
      freeIndex(job, view);
    }
    if (!job.changed) {
      long active = history.podsOf(job).filter(PodView::active).count();
      require(active < job.spec.parallelism(), view, "is one too many for the parallelism");
    }
    Integer limit = job.spec.backoffLimitPerIndex();
    require(
        limit == null || view.failureCount() <= limit,
        view,
        "is beyond the backoff limit per index");
  }

  private void freeIndex(History.Job job, PodView view) {
    require(view.index() >= 0, view, "has no index");
    require(!job.status.completedIndexes().contains(view.index()), view, "is of a succeeded index");
    require(
        job.status.failedIndexes() == null || !job.status.failedIndexes().contains(view.index()),
        view,
        "is of a failed index");
    boolean onlyStopped = PodReplacement.onlyStopped(job.spec, gates);
    List<PodView> others =
        history
            .podsOf(job)
            .filter(other -> other.index() == view.index())
            .filter(other -> other.active() || onlyStopped && other.terminating())
            .toList();
    require(others.isEmpty(), view, "has the index of " + others);
  }

  /**
   * @param after null where the pod is gone
   */
  void changed(KubeObject before, @Nullable KubeObject after) {
    PodView was = PodView.of(before);
    boolean released = was.tracked() && (after == null || !PodView.of(after).tracked());
    History.Job job = history.jobOf(before);
    if (!released || job == null || job.gone || job.object.deletionTimestamp() != null) {
      return;
    }
    if (!job.status.finished()) {
      accounted(job, was);
    }
  }

  /** The finalizer comes off only after a durable status accounts for the pod. */
  private void accounted(History.Job job, PodView pod) {
    JobStatus.Uncounted lists =
        Objects.requireNonNullElse(job.status.uncounted(), JobStatus.Uncounted.NONE);
    if (lists.succeeded().contains(pod.uid()) || lists.failed().contains(pod.uid())) {
      return;
    }
    boolean done = job.spec.indexed() && recorded(job.status, pod.index());
    if (job.hadNot(pod.index()) || done && (pod.succeeded() || pod.active())) {
      return;
    }
    require(!pod.succeeded(), pod, "succeeded and is let go uncounted");
    if (pod.stopped()) {
      boolean perIndex = Situation.perIndex(job.spec, gates);
      Action action = PodFailureRules.evaluate(job.spec.podFailurePolicy(), pod, perIndex).action();
      require(action == Action.Ignore, pod, "failed and is let go uncounted");
    } else if (!job.status.isTrue(SUCCESS_CRITERIA_MET)) {
      require(!job.status.isTrue(FAILURE_TARGET), pod, "is let go uncounted by a Job that fails");
      require(!pod.deleting(), pod, "is being deleted and is let go uncounted");
      require(job.changed, pod, "is let go by a Job that goes on");
    }
  }

  private static boolean recorded(JobStatus status, int index) {
    return status.completedIndexes().contains(index)
        || status.failedIndexes() != null && status.failedIndexes().contains(index);
  }

  private static boolean decided(JobStatus status) {
    return status.isTrue(SUCCESS_CRITERIA_MET) || status.isTrue(FAILURE_TARGET);
  }

  private static void require(boolean holds, PodView pod, String otherwise) {
    if (!holds) {
      throw new AssertionError("pod " + pod.name() + " " + otherwise + ": " + pod);
    }
  }
}
