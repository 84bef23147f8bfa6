package dev.stint.model.job;

import static dev.stint.model.job.JobCondition.COMPLETE;
import static dev.stint.model.job.JobCondition.FAILED;
import static dev.stint.model.job.JobCondition.FAILURE_TARGET;
import static dev.stint.model.job.JobCondition.SUCCESS_CRITERIA_MET;

import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;

/** Rules of the conditions that decide a Job's outcome. */
final class StatusConditionRules {
  private StatusConditionRules() {}

  static void check(StatusChange change, FieldErrors faults) {
    FieldPath conditions = change.after().get("conditions");
    exclusive(change, conditions, faults);
    stays(change.before().failed(), change.after().failed(), FAILED, conditions, faults);
    stays(change.before().complete(), change.after().complete(), COMPLETE, conditions, faults);
    stays(
        change.before().failureTarget(),
        change.after().failureTarget(),
        FAILURE_TARGET,
        conditions,
        faults);
    stays(
        change.before().successCriteriaMet(),
        change.after().successCriteriaMet(),
        SUCCESS_CRITERIA_MET,
        conditions,
        faults);
    interimFirst(change, conditions, faults);
    successCriteriaMet(change, conditions, faults);
  }

  private static void exclusive(StatusChange change, FieldPath conditions, FieldErrors faults) {
    StatusView before = change.before();
    StatusView after = change.after();
    boolean failedChanged = before.failed() != after.failed();
    boolean targetChanged = before.failureTarget() != after.failureTarget();
    boolean metChanged = before.successCriteriaMet() != after.successCriteriaMet();
    if (after.complete() && after.failed() && (change.changesComplete() || failedChanged)) {
      exclude(COMPLETE, FAILED, conditions, faults);
    }
    if (after.complete() && after.failureTarget() && (change.changesComplete() || targetChanged)) {
      exclude(COMPLETE, FAILURE_TARGET, conditions, faults);
    }
    if (after.successCriteriaMet() && after.failed() && (metChanged || failedChanged)) {
      exclude(SUCCESS_CRITERIA_MET, FAILED, conditions, faults);
    }
    if (after.successCriteriaMet() && after.failureTarget() && (metChanged || targetChanged)) {
      exclude(SUCCESS_CRITERIA_MET, FAILURE_TARGET, conditions, faults);
    }
  }

  private static void exclude(String one, String other, FieldPath conditions, FieldErrors faults) {
    faults.invalid(conditions, one + " and " + other + " cannot both be True");
  }

  private static void stays(
      boolean before, boolean after, String type, FieldPath conditions, FieldErrors faults) {
    if (before && !after) {
      faults.invalid(conditions, type + " is True and must stay True");
    }
  }

  /**
   * Checks that an interim condition precedes the terminal one, while pods still end (KEP-4368).
   */
  private static void interimFirst(StatusChange change, FieldPath conditions, FieldErrors faults) {
    StatusView before = change.before();
    StatusView after = change.after();
    boolean failing =
        before.failed() != after.failed() || before.failureTarget() != after.failureTarget();
    if (failing && after.failed() && !after.failureTarget() && anyJobAnnounces(change)) {
      faults.invalid(conditions, "Failed needs FailureTarget");
    }
    boolean succeeding =
        change.changesComplete() || before.successCriteriaMet() != after.successCriteriaMet();
    boolean announced = anyJobAnnounces(change) || hasSuccessPolicy(change);
    if (succeeding && after.complete() && !after.successCriteriaMet() && announced) {
      faults.invalid(conditions, "Complete needs SuccessCriteriaMet");
    }
  }

  private static void successCriteriaMet(
      StatusChange change, FieldPath conditions, FieldErrors faults) {
    if (!change.after().successCriteriaMet() || change.before().successCriteriaMet()) {
      return;
    }
    if (change.before().complete()) {
      faults.invalid(conditions, "SuccessCriteriaMet cannot be added to a Job that is Complete");
    }
    boolean anyJob = anyJobAnnounces(change);
    if (!anyJob && !JobSpecRules.isIndexed(change.spec())) {
      faults.invalid(
          conditions, "SuccessCriteriaMet is only allowed for Jobs with completionMode Indexed");
    }
    if (!anyJob && !change.spec().get("successPolicy").exists()) {
      faults.invalid(
          conditions, "SuccessCriteriaMet is only allowed for Jobs with a successPolicy");
    }
  }

  /**
   * True if a success policy applies. With its gate off, the Job ends as if it had none (KEP-3998,
   * Downgrade).
   */
  private static boolean hasSuccessPolicy(StatusChange change) {
    return change.gates().has(Gate.JobSuccessPolicy) && change.spec().get("successPolicy").exists();
  }

  /**
   * True if all Jobs need interim conditions. With both gates off, only Jobs with a success policy
   * do.
   */
  private static boolean anyJobAnnounces(StatusChange change) {
    return change.gates().has(Gate.JobManagedBy)
        || change.gates().has(Gate.JobPodReplacementPolicy);
  }
}
