package dev.stint.engine.policy;

import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.job.SuccessPolicy;
import java.util.List;
import java.util.Optional;

/**
 * Success policy (KEP-3998, Evaluation): the first rule that is met decides. Only indexes whose
 * success is recorded, or will be by the same write as the decision, count.
 */
final class SuccessCriteria {
  static final String REASON = "SuccessPolicy";

  private SuccessCriteria() {}

  static Optional<Verdict.Interim> evaluate(PolicyInput input) {
    SuccessPolicy policy = input.spec().successPolicy();
    if (policy == null || !input.gates().has(Gate.JobSuccessPolicy)) {
      return Optional.empty();
    }
    List<SuccessPolicy.Rule> rules = policy.rules();
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i).isMet(input.completedIndexes())) {
        return Verdict.success(reason(input, i), "Matched rules at index " + i);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the reason of a success by a rule (KEP-3998, Possibility for the configurable reason).
   */
  static String reason(PolicyInput input, int rule) {
    List<String> own = input.options().success().reasons();
    return rule < own.size() ? own.get(rule) : REASON;
  }
}
