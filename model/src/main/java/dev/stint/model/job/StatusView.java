package dev.stint.model.job;

import dev.stint.model.field.FieldPath;

/** A Job's status with its conditions looked up, for the rules of status writes. */
record StatusView(
    FieldPath status,
    boolean complete,
    boolean failed,
    boolean failureTarget,
    boolean successCriteriaMet) {
  static StatusView of(FieldPath job) {
    FieldPath status = job.get("status");
    return new StatusView(
        status,
        Conditions.isTrue(status, JobCondition.COMPLETE),
        Conditions.isTrue(status, JobCondition.FAILED),
        Conditions.isTrue(status, JobCondition.FAILURE_TARGET),
        Conditions.isTrue(status, JobCondition.SUCCESS_CRITERIA_MET));
  }

  boolean isFinished() {
    return complete || failed;
  }

  FieldPath get(String member) {
    return status.get(member);
  }
}
