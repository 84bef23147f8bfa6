package dev.stint.cli.simulate;

import dev.stint.cli.simulate.MeteredRuntime.JobMeter;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.time.Instant;

/**
 * The result of one Job in one run.
 *
 * @param complete true if the Job was Complete; else it was Failed, or had not ended after a year
 * @param reason the reason of its last condition, such as {@code FailedIndexes}
 * @param waiting from its creation to the start of its first pod
 * @param makespan from its creation to its end
 * @param attempts starts of pods, and restarts in place
 * @param failedAttempts those of them that failed by themselves; others may have been ended
 * @param podTime the total run time of the attempts
 */
record JobResult(
    boolean complete,
    String reason,
    Duration waiting,
    Duration makespan,
    int attempts,
    int failedAttempts,
    Duration podTime,
    int succeeded,
    int failed,
    String completedIndexes,
    String failedIndexes) {
  static JobResult of(JobStatus status, Instant start, Instant end, JobMeter meter) {
    boolean complete = status.isTrue("Complete");
    String reason =
        status
            .condition(complete ? "Complete" : "Failed")
            .filter(JobCondition::isTrue)
            .map(JobCondition::reason)
            .orElse("NotFinished");
    Instant first = meter.first();
    return new JobResult(
        complete,
        reason,
        Duration.between(start, first == null ? end : first),
        Duration.between(start, end),
        meter.attempts(),
        meter.failed(),
        meter.time(),
        status.succeeded(),
        status.failed(),
        status.completedIndexes().toString(),
        status.failedIndexes() == null ? "" : status.failedIndexes().toString());
  }

  /** Returns the time from the start of its first pod to its end. */
  Duration running() {
    return makespan.minus(waiting);
  }
}
