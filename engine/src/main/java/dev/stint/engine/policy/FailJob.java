package dev.stint.engine.policy;

import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.job.PodFailurePolicy;
import java.util.Optional;

/**
 * A pod failure policy rule with action {@code FailJob} (KEP-3329): one matching pod fails the Job.
 * The reason names the rule, where the gate is on (KEP-4443).
 */
public final class FailJob {
  private FailJob() {}

  static Optional<Verdict.Interim> evaluate(PolicyInput input) {
    PodFailureRules.RuleMatch match = input.failJobMatch();
    if (match == null) {
      return Optional.empty();
    }
    boolean named = input.gates().has(Gate.PodFailurePolicyName);
    String reason = named ? PodFailurePolicy.reason(match.rule()) : PodFailurePolicy.REASON;
    return Verdict.failure(reason, match.message());
  }

  /** True if a Job of this reason was failed by a rule. */
  public static boolean isReason(String reason) {
    return PodFailurePolicy.withoutRule(reason).equals(PodFailurePolicy.REASON);
  }
}
