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

  static Optional<Verdict.Interim> evaluate(PolicyInput situation) {
    SuccessOptions goal = situation.options().success();
    if (!goal.hasGoal() || !situation.gates().has(Gate.JobSuccessPolicy)) {
      return Optional.empty();
    }
    Integer percentage = goal.percentage();
    Integer completions = situation.spec().completions();
    if (percentage != null && completions != null) {
      long needed = Math.ceilDiv((long) percentage * completions, 100L);
      if (succeeded(situation) >= needed) {
        return met(situation, JobOptions.SUCCESS_PERCENTAGE, percentage + "%");
      }
    }
    Integer count = goal.count();
    return count != null && succeeded(situation) >= count
        ? met(situation, JobOptions.SUCCESS_COUNT, count.toString())
        : Optional.empty();
  }

  /** Counts successes as the success policy does: recorded indexes; or pods. */
  private static int succeeded(PolicyInput situation) {
    return situation.spec().isIndexed()
        ? situation.completedIndexes().size()
        : situation.succeeded();
  }

  private static Optional<Verdict.Interim> met(PolicyInput situation, String name, String value) {
    SuccessPolicy policy = situation.spec().successPolicy();
    int rule = policy == null ? 0 : policy.rules().size();
    return Verdict.success(
        SuccessCriteria.reason(situation, rule), "Reached " + name + ", which is " + value);
  }
}
