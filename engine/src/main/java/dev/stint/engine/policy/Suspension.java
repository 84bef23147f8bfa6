package dev.stint.engine.policy;

import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.time.Instant;
import java.util.Optional;

/**
 * Suspension: a suspended Job has no pods and says so in a condition; a resumed one says that too,
 * and its clock starts anew.
 */
public final class Suspension {
  private Suspension() {}

  /** The condition to be written where it changes, given what {@code spec.suspend} asks for. */
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
