package dev.stint.jobs;

import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pod and completion counts of one Job, or of several together.
 *
 * @param completions the number of successes wanted; null if it is unknown (a work queue)
 * @param active pods that wait or run
 * @param ready active pods that run
 * @param succeeded pods that have succeeded
 * @param failed pods that have failed, retried ones included
 * @param failedIndexes indexes that have failed for good
 * @param terminating pods that are being stopped
 */
public record JobCounts(
    @Nullable Long completions,
    long active,
    long ready,
    long succeeded,
    long failed,
    long failedIndexes,
    long terminating) {
  /** No work and no pods. */
  public static final JobCounts NONE = new JobCounts(0L, 0, 0, 0, 0, 0, 0);

  /** Reads the counts of a Job whose defaults are set. */
  public static JobCounts of(KubeObject job) {
    ObjectNode spec = job.spec();
    Integer completions = spec == null ? null : JobSpec.read(spec).completions();
    JobStatus status = JobStatus.read(job.status());
    IndexSet failedIndexes = status.failedIndexes();
    return new JobCounts(
        completions == null ? null : Long.valueOf(completions),
        status.active(),
        orZero(status.ready()),
        status.succeeded(),
        status.failed(),
        failedIndexes == null ? 0 : failedIndexes.size(),
        orZero(status.terminating()));
  }

  /**
   * Reads the counts of a Job for a sum that shows how much work is left: a Job that is complete
   * wants no more than it has, also if its success policy was met early.
   */
  public static JobCounts ofWork(KubeObject job) {
    JobCounts counts = of(job);
    return JobStatus.read(job.status()).isTrue(JobCondition.COMPLETE)
        ? new JobCounts(
            counts.completions == null ? null : counts.settled(),
            counts.active,
            counts.ready,
            counts.succeeded,
            counts.failed,
            counts.failedIndexes,
            counts.terminating)
        : counts;
  }

  /** Returns the sum of both counts; the wanted completions are known only if both know them. */
  public JobCounts plus(JobCounts other) {
    return new JobCounts(
        completions == null || other.completions == null ? null : completions + other.completions,
        active + other.active,
        ready + other.ready,
        succeeded + other.succeeded,
        failed + other.failed,
        failedIndexes + other.failedIndexes,
        terminating + other.terminating);
  }

  /** Returns the counts after all pods were stopped. */
  public JobCounts withoutActive() {
    return new JobCounts(completions, 0, 0, succeeded, failed, failedIndexes, 0);
  }

  /**
   * Returns the units of work that need no more pods: successes, and indexes that failed for good.
   */
  public long settled() {
    return succeeded + failedIndexes;
  }

  private static int orZero(@Nullable Integer count) {
    return count == null ? 0 : count;
  }
}
