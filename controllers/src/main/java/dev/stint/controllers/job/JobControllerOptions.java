package dev.stint.controllers.job;

import dev.stint.engine.EngineOptions;
import dev.stint.model.FeatureGates;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * The options of a Job controller.
 *
 * @param claim the Jobs to manage, by the name of the controller
 * @param only a filter on those; Jobs that it rejects stay as they are
 * @param syncBatchPeriod the time for which a change that nobody waits for is handled with others
 * @param concurrentSyncs the number of Jobs that are worked on at once
 * @param longestStatusDelay the longest time for which readers do not see counts, while writes of
 *     statuses take long (decision 99); zero to write each at once
 */
public record JobControllerOptions(
    Claim claim,
    Predicate<KubeObject> only,
    FeatureGates gates,
    EngineOptions engine,
    Duration syncBatchPeriod,
    int concurrentSyncs,
    Duration longestStatusDelay) {
  public static final JobControllerOptions DEFAULT =
      new JobControllerOptions(
          Claim.BUILT_IN,
          job -> true,
          FeatureGates.DEFAULT,
          EngineOptions.DEFAULT,
          Duration.ofSeconds(1),
          64);

  /** Creates options with which each status is written at once. */
  public JobControllerOptions(
      Claim claim,
      Predicate<KubeObject> only,
      FeatureGates gates,
      EngineOptions engine,
      Duration syncBatchPeriod,
      int concurrentSyncs) {
    this(claim, only, gates, engine, syncBatchPeriod, concurrentSyncs, Duration.ZERO);
  }

  /** True if the controller manages the Job, unless the filter rejects it. */
  boolean claims(KubeObject job) {
    return claim.covers(job, gates);
  }

  /** Returns the same options with this longest delay of statuses that only count. */
  public JobControllerOptions withLongestStatusDelay(Duration longest) {
    return new JobControllerOptions(
        claim, only, gates, engine, syncBatchPeriod, concurrentSyncs, longest);
  }
}
