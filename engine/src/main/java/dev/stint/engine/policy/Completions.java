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
  static Optional<Verdict.Interim> evaluate(PolicyInput situation) {
    if (!isReached(situation)) {
      return Optional.empty();
    }
    return situation.gates().has(Gate.JobSuccessPolicy)
        ? Verdict.success(REASON, "Reached expected number of succeeded pods")
        : Verdict.success("", "");
  }

  /**
   * Returns the recorded successes under a success policy, as the policy itself does, so that a Job
   * whose last pods finish together ends by its policy (KEP-3998, Integration tests).
   */
  private static int recorded(PolicyInput situation) {
    return situation.spec().successPolicy() == null && !situation.options().success().hasGoal()
        ? situation.succeeded()
        : situation.spec().isIndexed()
            ? situation.completedIndexes().size()
            : situation.succeeded();
  }

  private static boolean isReached(PolicyInput situation) {
    Integer completions = situation.spec().completions();
    return completions == null
        ? situation.succeeded() > 0 && situation.active() == 0
        : recorded(situation) >= completions;
  }
}
