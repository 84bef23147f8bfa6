package dev.stint.engine.policy;

import java.util.Optional;

/**
 * Max failed indexes (KEP-3850, Job completion): more failed indexes than {@code
 * spec.maxFailedIndexes} end the Job at once. Exactly as many do not.
 */
final class MaxFailedIndexes {
  static final String REASON = "MaxFailedIndexesExceeded";

  private MaxFailedIndexes() {}

  static Optional<Verdict.Interim> evaluate(PolicyInput input) {
    Integer most = input.spec().maxFailedIndexes();
    if (!input.isPerIndex() || most == null || input.failedIndexes().size() <= most) {
      return Optional.empty();
    }
    return FailedIndexesAllowed.applies(input)
        ? Verdict.failure(
            FailedIndexes.REASON,
            "Job has failed indexes: "
                + FailedIndexesAllowed.few(input)
                + "; maxFailedIndexes allows "
                + most)
        : Verdict.failure(
            REASON, "Job has exceeded the specified maximal number of failed indexes");
  }
}
