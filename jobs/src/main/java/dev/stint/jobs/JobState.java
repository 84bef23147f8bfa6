package dev.stint.jobs;

import dev.stint.model.KubeObject;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;

/** The state of a Job, in one word. */
public enum JobState {
  /** The Job has not begun, or waits between two attempts. */
  WAITING,
  RUNNING,
  /** The Job has begun, but its command ended before it did, and nothing works on it now. */
  INTERRUPTED,
  SUSPENDED,
  /** The Job has succeeded; its last pods are being stopped. */
  SUCCEEDING,
  /** The Job has failed; its last pods are being stopped. */
  FAILING,
  COMPLETE,
  FAILED,
  /** The Job is being deleted. */
  DELETING;

  public static JobState of(KubeObject job) {
    JobStatus status = JobStatus.read(job.status());
    if (job.deletionTimestamp() != null) {
      return DELETING;
    }
    if (status.isTrue(JobCondition.COMPLETE)) {
      return COMPLETE;
    }
    if (status.isTrue(JobCondition.FAILED)) {
      return FAILED;
    }
    if (status.isTrue(JobCondition.FAILURE_TARGET)) {
      return FAILING;
    }
    if (status.isTrue(JobCondition.SUCCESS_CRITERIA_MET)) {
      return SUCCEEDING;
    }
    if (JobChanges.isSuspended(job)) {
      return JobInterruption.isInterrupted(job) ? INTERRUPTED : SUSPENDED;
    }
    return status.active() > 0 ? RUNNING : WAITING;
  }

  /** Returns the state if no controller works on the Job. */
  public JobState withoutController(boolean started) {
    return started && (this == RUNNING || this == WAITING) ? INTERRUPTED : this;
  }

  /** Returns the word that users read. */
  public String displayName() {
    return name().charAt(0) + name().substring(1).toLowerCase(java.util.Locale.ROOT);
  }

  public boolean isFinished() {
    return this == COMPLETE || this == FAILED;
  }
}
