package dev.stint.simulation;

import dev.stint.engine.pod.PodView;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import java.util.function.Predicate;

/**
 * The laws of a world at rest: nothing was done for longer than anybody waits before they try
 * again. Each status then counts the pods that exist, and each Job that may has as many pods as it
 * wants.
 */
final class RestLaws {
  private final History history;

  RestLaws(History history) {
    this.history = history;
  }

  void check() {
    history.jobs.values().stream()
        .filter(job -> !job.gone && job.object.deletionTimestamp() == null)
        .filter(job -> !history.foreign(job) && !job.status.isFinished())
        .forEach(job -> {
          counts(job);
          punctual(job);
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

  /** A Job without failures lacks no pod: there is no other reason to wait. */
  private void punctual(History.Job job) {
    JobSpec spec = job.spec;
    boolean waits =
        spec.suspend()
            || job.decided()
            || job.status.failed() > 0
            || history.podsOf(job).anyMatch(pod -> pod.isTerminating() || failed(pod));
    if (waits) {
      return;
    }
    Integer completions = spec.completions();
    int succeeded = job.status.succeeded();
    int lacking = completions == null ? spec.parallelism() : completions - succeeded;
    boolean ends = completions == null && succeeded > 0;
    require(
        ends || count(job, PodView::isActive) == Math.min(spec.parallelism(), lacking),
        job,
        "number of pods");
  }

  private static boolean failed(PodView pod) {
    return pod.hasStopped() && !pod.hasSucceeded();
  }

  private long count(History.Job job, Predicate<PodView> which) {
    return history.podsOf(job).filter(which).count();
  }

  private void require(boolean holds, History.Job job, String number) {
    if (!holds) {
      throw new AssertionError(
          "Job rests with a wrong %s: %s %s with %s"
              .formatted(number, job.object, job.status, history.podsOf(job).toList()));
    }
  }
}
