package dev.stint.engine.policy;

import dev.stint.model.FeatureGates.Gate;
import java.util.Optional;

/**
 * Completions: a Job has succeeded when as many pods have as {@code spec.completions} says; a work
 * queue (no completions) when one has, and no other runs any more.
 */
public final class Completions {
  public static final String REASON = "CompletionsReached";

  private Completions() {}

  /**
   * The reason came with success policies; with their gate off there is none, as before (KEP-3998,
   * Monitoring Requirements).
   */
  public static Optional<Verdict.Interim> evaluate(JobSituation situation) {
    if (!reached(situation)) {
      return Optional.empty();
    }
    return situation.gates().has(Gate.JobSuccessPolicy)
        ? Verdict.success(REASON, "Reached expected number of succeeded pods")
        : Verdict.success("", "");
  }

  /**
   * Under a success policy only recorded successes count, as they do for the policy, so that a Job
   * whose last pods finish together ends by its policy (KEP-3998, Integration tests).
   */
  private static int recorded(JobSituation situation) {
    return situation.spec().successPolicy() == null
        ? situation.succeeded()
        : situation.completedIndexes().size();
  }

  private static boolean reached(JobSituation situation) {
    Integer completions = situation.spec().completions();
    return completions == null
        ? situation.succeeded() > 0 && situation.active() == 0
        : recorded(situation) >= completions;
  }
}
