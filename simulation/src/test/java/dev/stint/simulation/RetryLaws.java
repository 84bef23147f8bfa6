package dev.stint.simulation;

import dev.stint.engine.pod.PodView;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.job.PodFailurePolicy.Action;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The law that failed work is retried as the Job's policy says: after its delay, and with its count
 * of failures.
 */
final class RetryLaws {
  private final History history;
  private final ExponentialBackoff backoff;
  private final InstantSource clock;

  RetryLaws(History history, ExponentialBackoff backoff, InstantSource clock) {
    this.history = history;
    this.backoff = backoff;
    this.clock = clock;
  }

  void created(History.Job job, PodView pod) {
    if (history.perIndex(job)) {
      index(job, pod);
    } else {
      overall(job, pod);
    }
  }

  /**
   * No pod is created before the delay of the last failure is over. Only failures that a status has
   * reported count here, since the controller need not know the others, and none that a restart
   * made it forget; any success ends the series.
   */
  private void overall(History.Job job, PodView pod) {
    Instant last = Instant.MIN;
    int failures = 0;
    for (PodView other : history.podsOf(job).toList()) {
      Instant end = history.end(other.uid()).first;
      boolean isKnown =
          job.failedAndListed.contains(other.uid())
              && !history.isForgotten(other)
              && !history.isMoved(other.uid());
      if (isKnown && end.isAfter(job.lastSuccess)) {
        failures++;
        last = last.isAfter(end) ? last : end;
      }
    }
    waited(job, pod, last, failures);
  }

  private void waited(History.Job job, PodView pod, Instant failed, int failures) {
    if (failures > 0) {
      Instant due = failed.plus(delay(job, failures));
      require(!clock.instant().isBefore(due), pod, "does not wait for the back-off, up to " + due);
    }
  }

  /**
   * The latest attempt among the tracked pods of the index is the one before this one: it failed,
   * its failure is counted by its action, and its delay is over.
   */
  private void index(History.Job job, PodView pod) {
    List<PodView> tracked =
        history
            .podsOf(job)
            .filter(other -> other.index() == pod.index() && other.tracked())
            .filter(other -> !other.uid().equals(pod.uid()))
            .toList();
    int last = tracked.stream().mapToInt(RetryLaws::attempt).max().orElse(-1);
    int most = tracked.stream().mapToInt(history::mostFailures).max().orElse(-1);
    // A pod that is being deleted may have restarted once more than the controller knew.
    boolean mayRestart =
        Oracle.countsRestarts(job.object) && tracked.stream().anyMatch(PodView::deleting);
    require(
        tracked.isEmpty()
            || attempt(pod) == last + 1
            || attempt(pod) > last && attempt(pod) <= most + 1
            || mayRestart && attempt(pod) > 0 && attempt(pod) <= last,
        pod,
        "is not the next attempt after " + last);
    if (attempt(pod) > 0) {
      require(
          tracked.stream()
              .anyMatch(failed -> attempt(failed) == last && replaces(job, pod, failed)),
          pod,
          "does not replace a failed pod, or does so too early; there are " + tracked);
    }
  }

  private boolean replaces(History.Job job, PodView pod, PodView failed) {
    Set<Action> meanings = history.end(failed.uid()).meanings;
    // A node that has lost the containers may have reported more restarts before.
    int forgotten = history.mostFailures(failed) - attempt(failed);
    int all = pod.failureCount() - failed.failureCount();
    int more = Math.max(Math.min(all, 1), all - forgotten);
    boolean restarted =
        more < 1 && failed.deleting() && Oracle.countsRestarts(job.object) && attempt(pod) > 0;
    boolean counted = (more == 1 || restarted) && meanings.contains(Action.Count);
    boolean ignored = more == 0 && meanings.contains(Action.Ignore);
    Instant due = history.end(failed.uid()).first.plus(delay(job, attempt(pod)));
    return (counted || ignored) && !clock.instant().isBefore(due);
  }

  /**
   * Returns the latest time up to which failures delay the pods of a Job without a limit per index:
   * they may all be in a row, unless a pod that exists has succeeded since. One that the Job let go
   * before does not end the series.
   */
  Instant latestDue(History.Job job) {
    Instant success =
        history
            .podsOf(job)
            .filter(pod -> pod.hasSucceeded() && !job.letGo.contains(pod.uid()))
            .map(PodView::finishTime)
            .max(Instant::compareTo)
            .orElse(Instant.MIN);
    List<Instant> ends =
        job.podsThatFailed.stream()
            .flatMap(uid -> Stream.ofNullable(job.finished.get(uid)))
            .filter(end -> !end.isBefore(success))
            .sorted()
            .toList();
    return ends.isEmpty() ? Instant.MIN : ends.getLast().plus(delay(job, ends.size()));
  }

  /** Returns the latest time up to which the failed pods of an index delay its next one. */
  Instant latestDue(History.Job job, int index) {
    List<PodView> failed =
        history.podsOf(job).filter(pod -> pod.index() == index && pod.tracked()).toList();
    int failures = failed.stream().mapToInt(history::mostFailures).max().orElse(0) + 1;
    return failed.stream()
        .map(PodView::finishTime)
        .max(Instant::compareTo)
        .map(end -> end.plus(delay(job, failures)))
        .orElse(Instant.MIN);
  }

  /** Returns the delay after a number of failures: by the Job's annotation, or the controller's. */
  private Duration delay(History.Job job, int failures) {
    return Oracle.ownDelay(job.object, failures)
        .orElseGet(() -> Oracle.delay(backoff.base(), backoff.max(), failures));
  }

  static int attempt(PodView pod) {
    return pod.failureCount() + pod.ignoredFailureCount();
  }

  private static void require(boolean holds, PodView pod, String otherwise) {
    PodLaws.require(holds, pod, otherwise);
  }
}
