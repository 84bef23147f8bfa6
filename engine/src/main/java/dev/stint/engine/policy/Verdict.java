package dev.stint.engine.policy;

import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The decision on a Job's outcome. */
public sealed interface Verdict {
  /** No decision yet. */
  record Undecided() implements Verdict {}

  /**
   * The outcome is known; the remaining pods are being stopped. The condition is SuccessCriteriaMet
   * or FailureTarget.
   */
  record Interim(String type, String reason, String message) implements Verdict {
    public boolean isSuccess() {
      return type.equals(JobCondition.SUCCESS_CRITERIA_MET);
    }

    /**
     * Returns the condition that follows once every pod has stopped: Complete or Failed, for the
     * same reason.
     */
    public String finalType() {
      return isSuccess() ? JobCondition.COMPLETE : JobCondition.FAILED;
    }
  }

  /** The Job has ended: it is Complete or Failed. */
  record Final() implements Verdict {}

  /** The policies that fail a Job, in the order of their evaluation. */
  List<Function<PolicyInput, Optional<Interim>>> FAILURES =
      List.of(
          FailJob::evaluate,
          BackoffLimit::evaluate,
          ActiveDeadline::evaluate,
          MaxFailedIndexes::evaluate,
          FailedIndexes::evaluate);

  /** The policies by which a Job succeeds, likewise. */
  List<Function<PolicyInput, Optional<Interim>>> SUCCESSES =
      List.of(
          SuccessCriteria::evaluate,
          SuccessGoal::evaluate,
          Completions::evaluate,
          FailedIndexesAllowed::evaluate);

  /**
   * The order of evaluation. A stored decision stands (KEP-3998, Status never switches from
   * SuccessCriteriaMet to Failed). Next come the policies that fail the Job, since they win over a
   * success policy that is met in the same evaluation (KEP-3998, Conflicting policies). The success
   * policy, the goal that is a further rule of it, completions, and allowed failures follow.
   */
  List<Function<PolicyInput, Optional<Interim>>> ORDER =
      Stream.concat(FAILURES.stream(), SUCCESSES.stream()).toList();

  /** Returns the verdict on a Job with this stored status, with this input. */
  static Verdict of(JobStatus status, PolicyInput input) {
    if (status.isFinished()) {
      return new Final();
    }
    for (String interim : List.of(JobCondition.SUCCESS_CRITERIA_MET, JobCondition.FAILURE_TARGET)) {
      Optional<JobCondition> stored = status.condition(interim).filter(JobCondition::isTrue);
      if (stored.isPresent()) {
        return new Interim(interim, stored.get().reason(), stored.get().message());
      }
    }
    return ORDER.stream()
        .flatMap(policy -> policy.apply(input).stream())
        .map(Verdict.class::cast)
        .findFirst()
        .orElseGet(Undecided::new);
  }

  /**
   * Returns the reason of a success as metrics count it: one that a Job chose itself is that of its
   * success policy.
   */
  static String countedReason(String reason) {
    return reason.isEmpty()
            || reason.equals(Completions.REASON)
            || reason.equals(FailedIndexesAllowed.REASON)
        ? reason
        : SuccessCriteria.REASON;
  }

  static Optional<Interim> failure(String reason, String message) {
    return Optional.of(new Interim(JobCondition.FAILURE_TARGET, reason, message));
  }

  static Optional<Interim> success(String reason, String message) {
    return Optional.of(new Interim(JobCondition.SUCCESS_CRITERIA_MET, reason, message));
  }
}
