package dev.stint.jobs;

import dev.stint.model.KubeObject;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;

/** How a Job stands, in a word. */
public enum JobState {
  /** It has not begun, or waits between two attempts. */
  WAITING,
  RUNNING,
  SUSPENDED,
  /** It has succeeded; its last pods are being ended. */
  SUCCEEDING,
  /** It has failed; its last pods are being ended. */
  FAILING,
  COMPLETE,
  FAILED,
  /** It is being deleted. */
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
    if (JobChanges.suspended(job)) {
      return SUSPENDED;
    }
    return status.active() > 0 ? RUNNING : WAITING;
  }

  /** As people read it. */
  public String word() {
    return name().charAt(0) + name().substring(1).toLowerCase(java.util.Locale.ROOT);
  }

  public boolean over() {
    return this == COMPLETE || this == FAILED;
  }
}
