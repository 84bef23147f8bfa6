package dev.stint.engine.policy;

import dev.stint.model.FeatureGates.Gate;
import java.util.Optional;

/**
 * Completions: a Job has succeeded when {@code spec.completions} of its pods have. A work queue (no
 * completions) has succeeded when one pod has and no other runs any more.
 */
final class Completions {
  static final String REASON = "CompletionsReached";

  private Completions() {}

  /**
   * Evaluates completions. The reason was introduced with success policies; with their gate off
   * there is none (KEP-3998, Monitoring Requirements).
   */
  static Optional<Verdict.Interim> evaluate(PolicyInput input) {
    if (!isReached(input)) {
      return Optional.empty();
    }
    return input.gates().has(Gate.JobSuccessPolicy)
        ? Verdict.success(REASON, "Reached expected number of succeeded pods")
        : Verdict.success("", "");
  }

  /**
   * Returns the recorded successes under a success policy, as the policy itself does, so that a Job
   * whose last pods finish together ends by its policy (KEP-3998, Integration tests).
   */
  private static int recorded(PolicyInput input) {
    return input.spec().successPolicy() == null && !input.options().success().hasGoal()
        ? input.succeeded()
        : input.spec().isIndexed() ? input.completedIndexes().size() : input.succeeded();
  }

  private static boolean isReached(PolicyInput input) {
    Integer completions = input.spec().completions();
    return completions == null
        ? input.succeeded() > 0 && input.active() == 0
        : recorded(input) >= completions;
  }
}
