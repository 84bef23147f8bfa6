package dev.stint.engine.policy;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.options.JobOptions;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a Job that the policies decide on.
 *
 * @param active pods that run or are to run
 * @param succeeded succeeded pods, counted or not; for an Indexed Job, succeeded indexes
 * @param failed failed pods, counted or not, without those that a rule ignored
 * @param restarts container restarts in active pods
 * @param completedIndexes succeeded indexes as they are or are about to be recorded
 * @param failedIndexes failed indexes, likewise; empty without a backoff limit per index
 * @param failJobMatch the match for which a pod failure policy fails the Job; null if it does not
 * @param startTime null if the Job has not started
 */
public record PolicyInput(
    JobSpec spec,
    JobOptions options,
    FeatureGates gates,
    int active,
    int succeeded,
    int failed,
    int restarts,
    IndexSet completedIndexes,
    IndexSet failedIndexes,
    PodFailureRules.@Nullable RuleMatch failJobMatch,
    @Nullable Instant startTime,
    Instant now) {

  /** True if failures are counted per index (KEP-3850). */
  public boolean isPerIndex() {
    return isPerIndex(spec, gates);
  }

  /** True if failures of such a Job are counted per index. */
  public static boolean isPerIndex(JobSpec spec, FeatureGates gates) {
    return spec.backoffLimitPerIndex() != null && gates.has(Gate.JobBackoffLimitPerIndex);
  }
}
