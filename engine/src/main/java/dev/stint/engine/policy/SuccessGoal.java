package dev.stint.engine.policy;

import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.job.SuccessPolicy;
import dev.stint.model.job.options.JobOptions;
import dev.stint.model.job.options.SuccessOptions;
import java.util.Optional;

/**
 * Success goal (decision 92): an annotation says how many successes are enough, as a share of the
 * completions (KEP-3998, Acceptable percentage) or, without indexes, as a number. It counts as one
 * more rule after those of the success policy.
 */
final class SuccessGoal {
  private SuccessGoal() {}

  static Optional<Verdict.Interim> evaluate(PolicyInput input) {
    SuccessOptions goal = input.options().success();
    if (!goal.hasGoal() || !input.gates().has(Gate.JobSuccessPolicy)) {
      return Optional.empty();
    }
    Integer percentage = goal.percentage();
    Integer completions = input.spec().completions();
    if (percentage != null && completions != null) {
      if (succeeded(input) >= SuccessOptions.needed(percentage, completions)) {
        return met(input, JobOptions.SUCCESS_PERCENTAGE, percentage + "%");
      }
    }
    Integer count = goal.count();
    return count != null && succeeded(input) >= count
        ? met(input, JobOptions.SUCCESS_COUNT, count.toString())
        : Optional.empty();
  }

  /** Counts successes as the success policy does: recorded indexes; or pods. */
  private static int succeeded(PolicyInput input) {
    return input.spec().isIndexed() ? input.completedIndexes().size() : input.succeeded();
  }

  private static Optional<Verdict.Interim> met(PolicyInput input, String name, String value) {
    SuccessPolicy policy = input.spec().successPolicy();
    int rule = policy == null ? 0 : policy.rules().size();
    return Verdict.success(
        SuccessCriteria.reason(input, rule), "Reached " + name + ", which is " + value);
  }
}
