package dev.stint.engine.policy;

import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.time.Instant;
import java.util.Optional;

/**
 * Suspension: a suspended Job has no pods, and a condition shows it. A resumed Job's condition
 * shows that too, and its clock starts again.
 */
public final class Suspension {
  private Suspension() {}

  /** Returns the condition to write for {@code spec.suspend}; empty if it does not change. */
  public static Optional<JobCondition> change(boolean suspend, JobStatus status, Instant now) {
    if (suspend == status.isTrue(JobCondition.SUSPENDED)) {
      return Optional.empty();
    }
    return Optional.of(
        suspend
            ? new JobCondition(JobCondition.SUSPENDED, true, "JobSuspended", "Job suspended", now)
            : new JobCondition(JobCondition.SUSPENDED, false, "JobResumed", "Job resumed", now));
  }
}
