package dev.stint.cli;

import dev.stint.model.KubeObject;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;

/** How a Job stands, in a word. */
enum JobState {
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

  static JobState of(KubeObject job) {
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
  String word() {
    return name().charAt(0) + name().substring(1).toLowerCase(java.util.Locale.ROOT);
  }

  boolean over() {
    return this == COMPLETE || this == FAILED;
  }

  /** The word in its colour. */
  String in(Printer printer, String cell) {
    return switch (this) {
      case COMPLETE, SUCCEEDING -> printer.good(cell);
      case FAILED, FAILING -> printer.bad(cell);
      case SUSPENDED, DELETING -> printer.odd(cell);
      case WAITING, RUNNING -> cell;
    };
  }
}
