package dev.stint.simulation;

import dev.stint.engine.pod.PodView;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The laws of a world at rest: nothing was done for longer than anybody waits before they try
 * again. Each status then counts the pods that exist, and each Job that may has as many pods as it
 * wants.
 */
final class RestLaws {
  /** A Job that waits for an index waits for a second at least (KEP-3850). */
  private static final Duration TOLERANCE = Duration.ofSeconds(1);

  private final History history;
  private final RetryLaws retries;

  RestLaws(History history, RetryLaws retries) {
    this.history = history;
    this.retries = retries;
  }

  /**
   * @param until the time up to which nothing happens
   */
  void check(Instant until) {
    history.jobs.values().stream()
        .filter(job -> !job.gone && job.object.deletionTimestamp() == null)
        .filter(job -> !history.foreign(job) && !job.status.isFinished())
        .forEach(job -> {
          counts(job);
          punctual(job, until);
        });
  }

  private void counts(History.Job job) {
    JobStatus status = job.status;
    require(status.active() == count(job, PodView::isActive), job, "active count");
    require(
        status.ready() == null
            || status.ready() == count(job, pod -> pod.isActive() && pod.ready()),
        job,
        "ready count");
    require(
        status.terminating() == null || status.terminating() == count(job, PodView::isTerminating),
        job,
        "terminating count");
  }

  /** A Job lacks no pod, unless that waits for a back-off: there is no other reason to wait. */
  private void punctual(History.Job job, Instant until) {
    JobSpec spec = job.spec;
    Integer completions = spec.completions();
    int succeeded = job.status.succeeded();
    boolean ends = completions == null && succeeded > 0;
    if (ends || spec.suspend() || job.decided() || count(job, PodView::isTerminating) > 0) {
      return;
    }
    int needed = completions == null ? spec.parallelism() : completions - succeeded;
    long lacking = Math.min(spec.parallelism(), needed) - count(job, PodView::isActive);
    require(lacking >= 0, job, "number of pods");
    require(lacking == 0 || !isDue(job, until), job, "number of pods, of which one is due");
  }

  /** True if a pod that the Job lacks, if it lacks one, waits for nothing. */
  private boolean isDue(History.Job job, Instant until) {
    return history.perIndex(job)
        ? IntStream.range(0, Objects.requireNonNull(job.spec.completions()))
            .filter(index -> !PodLaws.recorded(job.status, index))
            .filter(index ->
                history.podsOf(job).noneMatch(pod -> pod.isActive() && pod.index() == index))
            .anyMatch(index -> isOver(retries.latestDue(job, index), until))
        : isOver(retries.latestDue(job), until);
  }

  private static boolean isOver(Instant due, Instant until) {
    return due.isBefore(until.minus(TOLERANCE));
  }

  private long count(History.Job job, Predicate<PodView> which) {
    return history.podsOf(job).filter(which).count();
  }

  private void require(boolean holds, History.Job job, String number) {
    if (!holds) {
      throw new AssertionError(
          "Job rests with a wrong %s%n  %s %s with %s"
              .formatted(number, job.object, job.status, history.podsOf(job).toList()));
    }
  }
}
