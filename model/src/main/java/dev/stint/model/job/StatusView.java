package dev.stint.model.job;

import dev.stint.model.field.At;

/** A Job's status with its conditions looked up, for the rules of status writes. */
record StatusView(
    At status,
    boolean complete,
    boolean failed,
    boolean failureTarget,
    boolean successCriteriaMet) {
  static StatusView of(At job) {
    At status = job.get("status");
    return new StatusView(
        status,
        Conditions.isTrue(status, JobCondition.COMPLETE),
        Conditions.isTrue(status, JobCondition.FAILED),
        Conditions.isTrue(status, JobCondition.FAILURE_TARGET),
        Conditions.isTrue(status, JobCondition.SUCCESS_CRITERIA_MET));
  }

  boolean finished() {
    return complete || failed;
  }

  At get(String member) {
    return status.get(member);
  }
}
