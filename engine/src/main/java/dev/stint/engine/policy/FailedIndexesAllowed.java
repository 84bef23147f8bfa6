package dev.stint.engine.policy;

import dev.stint.model.FewNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Failed indexes allowed (KEP-3850, Mark Job Complete if some indexes failed): if a Job's
 * annotation says so, it is complete once all of its indexes have ended, and at most {@code
 * spec.maxFailedIndexes} of them have failed.
 */
final class FailedIndexesAllowed {
  static final String REASON = "FailedIndexesAllowed";

  private FailedIndexesAllowed() {}

  static Optional<Verdict.Interim> evaluate(PolicyInput input) {
    int failed = input.failedIndexes().size();
    int completions = Objects.requireNonNullElse(input.spec().completions(), 0);
    boolean over = input.completedIndexes().size() + failed >= completions;
    return applies(input) && failed > 0 && over
        ? Verdict.success(
            REASON,
            "Job has failed indexes: "
                + few(input)
                + "; maxFailedIndexes allows "
                + input.spec().maxFailedIndexes())
        : Optional.empty();
  }

  /** True if failed indexes fail the Job only by their number. */
  static boolean applies(PolicyInput input) {
    return input.isPerIndex()
        && input.spec().maxFailedIndexes() != null
        && input.options().success().withFailedIndexes();
  }

  /** Returns the failed indexes, up to a couple of them. */
  static String few(PolicyInput input) {
    List<String> few = new ArrayList<>(FewNames.MOST);
    input
        .failedIndexes()
        .forEach(index -> {
          if (few.size() < FewNames.MOST) {
            few.add(Integer.toString(index));
          }
        });
    return FewNames.of(few, input.failedIndexes().size());
  }
}
