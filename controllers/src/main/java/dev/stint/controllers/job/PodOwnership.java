package dev.stint.controllers.job;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.EventLoop;
import dev.stint.engine.pod.PodView;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.reconcile.Informer;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Keeps the controller references of pods in line with the selectors of Jobs: adopts pods without a
 * controller that a Job's selector matches, releases pods that it does not match any more, and
 * retries failures (KEP-2307, Pod adoption). The controller decides nothing on a Job meanwhile.
 */
final class PodOwnership {
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final EventLoop loop;
  private final Adoption adoption;
  private final Informer pods;
  private final Consumer<JobWork> onChange;
  private final Consumer<KubeObject> onRetry;
  private boolean closed;

  /**
   * @param onChange called when the pods of a Job have changed
   * @param onRetry called with a pod whose ownership has to be decided again
   */
  PodOwnership(
      EventLoop loop, Informer pods, Consumer<JobWork> onChange, Consumer<KubeObject> onRetry) {
    this.loop = loop;
    this.adoption = new Adoption();
    this.pods = pods;
    this.onChange = onChange;
    this.onRetry = onRetry;
  }

  void close() {
    closed = true;
  }

  /** Records a pod that has no controller. */
  void onUncontrolled(KubeObject pod) {
    adoption.put(pod);
  }

  /** Records that a pod has a controller, or does not exist any more. */
  void onControlled(String podUid) {
    adoption.remove(podUid);
  }

  /** Adopts the existing pods of a Job that the watch has just reported. */
  void adoptFor(JobWork work) {
    if (mayAdopt(work)) {
      adoption.of(work.object()).forEach(pod -> adopt(work, pod));
    }
  }

  /** Returns the Job that may adopt a pod. */
  static Optional<JobWork> adopter(Collection<JobWork> works, KubeObject pod) {
    return works.stream()
        .filter(work -> mayAdopt(work) && Adoption.mayAdopt(work.object(), pod))
        .findFirst();
  }

  /**
   * True if a Job may need another pod. One whose outcome is decided has counted those that it let
   * go, and would count them again.
   */
  private static boolean mayAdopt(JobWork work) {
    JobStatus status = work.status();
    return isAlive(work)
        && !status.isTrue(JobCondition.FAILURE_TARGET)
        && !status.isTrue(JobCondition.SUCCESS_CRITERIA_MET);
  }

  private static boolean isAlive(JobWork work) {
    return !work.isDeleted() && !work.view().deleting() && !work.status().isFinished();
  }

  void adopt(JobWork work, KubeObject pod) {
    change(work, pod, adoption.adopt(work.api, work.object(), pod));
  }

  /** Releases a pod, uncounted, if its labels no longer match the selector. */
  void releaseUnlessMatching(JobWork work, KubeObject pod) {
    if (isAlive(work)
        && pod.deletionTimestamp() == null
        && !isMarked(work.object(), pod)
        && !Adoption.matches(work.object(), pod)) {
      change(work, pod, adoption.release(work.api, work.object(), pod));
    }
  }

  /** True if a pod has the only label that a generated selector asks for. */
  private static boolean isMarked(KubeObject job, KubeObject pod) {
    return job.uid().equals(pod.label(Names.CONTROLLER_UID))
        && !Boolean.TRUE.equals(Json.bool(job.spec(), "manualSelector"));
  }

  private void change(
      JobWork work, KubeObject pod, CompletableFuture<@Nullable KubeObject> request) {
    work.beginOwnershipChange();
    request.whenCompleteAsync(
        (now, failure) -> {
          if (failure != null && !closed) {
            onFailure(work, pod, ClusterException.causeOf(failure));
          } else if (now == null) {
            retryLater(work, pod);
          } else {
            try {
              onAnswer(work, now);
            } finally {
              work.endOwnershipChange();
            }
          }
        },
        loop);
  }

  private void onFailure(JobWork work, KubeObject pod, Throwable cause) {
    if (!work.hasEnded()) {
      JobLog.about(Level.WARN, work.object())
          .setCause(cause)
          .log("Cannot change the owner of {}; retrying in {}", pod, RETRY);
    }
    if (cause instanceof ClusterException answer && answer.isTransient()) {
      retryLater(work, pod);
    } else {
      work.endOwnershipChange();
      loop.after(RETRY, () -> retry(pod));
    }
  }

  /**
   * Tries again unless the watch reports the pod anew. Nothing is decided before: a pod of which
   * the Job has listed the end would seem to be gone, and count again once it is back.
   */
  private void retryLater(JobWork work, KubeObject pod) {
    loop.after(
        RETRY,
        () -> {
          retry(pod);
          work.endOwnershipChange();
        });
  }

  private void onAnswer(JobWork work, KubeObject now) {
    if (!work.owns(now)) {
      work.lose(now.uid());
    } else {
      adoption.remove(now.uid());
      if (pods.recordIfNew(now)) {
        work.put(PodView.of(now));
      }
    }
    onChange.accept(work);
  }

  /** Retries unless the pod has changed or been deleted meanwhile. */
  private void retry(KubeObject pod) {
    if (!closed && pods.isCurrent(pod)) {
      onRetry.accept(pod);
    }
  }
}
