package dev.stint.controllers.job;

import dev.stint.cluster.EventLoop;
import dev.stint.engine.pod.PodView;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
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
    return pod.deletionTimestamp() != null
        ? Optional.empty()
        : works.stream()
            .filter(work -> mayAdopt(work) && Adoption.matches(work.object(), pod))
            .findFirst();
  }

  private static boolean mayAdopt(JobWork work) {
    return !work.isDeleted() && !work.view().deleting() && !work.status().isFinished();
  }

  void adopt(JobWork work, KubeObject pod) {
    change(work, pod, adoption.adopt(work.api, work.object(), pod));
  }

  /** Releases a pod, uncounted, if its labels no longer match the selector. */
  void releaseUnlessMatching(JobWork work, KubeObject pod) {
    // A selector almost always asks for this label only.
    if (mayAdopt(work)
        && pod.deletionTimestamp() == null
        && !work.object().uid().equals(pod.label(Names.CONTROLLER_UID))
        && !Adoption.matches(work.object(), pod)) {
      change(work, pod, adoption.release(work.api, work.object(), pod));
    }
  }

  private void change(
      JobWork work, KubeObject pod, CompletableFuture<@Nullable KubeObject> request) {
    work.beginOwnershipChange();
    request.whenCompleteAsync(
        (now, failure) -> {
          try {
            onAnswer(work, pod, now, failure);
          } finally {
            work.endOwnershipChange();
          }
        },
        loop);
  }

  private void onAnswer(
      JobWork work, KubeObject pod, @Nullable KubeObject now, @Nullable Throwable failure) {
    if (failure != null && !closed) {
      JobLog.about(Level.WARN, work.object())
          .setCause(failure)
          .log("Cannot change the owner of {}; retrying in {}", pod, RETRY);
      loop.after(RETRY, () -> retry(pod));
    } else if (now != null && work.object().uid().equals(now.controllerUid())) {
      adoption.remove(now.uid());
      if (pods.recordIfNew(now)) {
        work.put(PodView.of(now));
      }
    } else if (now != null) {
      work.remove(now.uid());
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
