package dev.stint.engine.policy;

import java.util.Objects;
import java.util.Optional;

/**
 * Failed indexes (KEP-3850, Job completion): under a backoff limit per index, every index runs
 * until it succeeded or failed; then one that failed fails the Job.
 */
final class FailedIndexes {
  static final String REASON = "FailedIndexes";

  private FailedIndexes() {}

  static Optional<Verdict.Interim> evaluate(PolicyInput input) {
    int failed = input.failedIndexes().size();
    if (!input.isPerIndex() || failed == 0 || FailedIndexesAllowed.applies(input)) {
      return Optional.empty();
    }
    int completions = Objects.requireNonNullElse(input.spec().completions(), 0);
    return input.completedIndexes().size() + failed >= completions
        ? Verdict.failure(REASON, "Job has failed indexes")
        : Optional.empty();
  }
}
