package dev.stint.controllers.job;

import dev.stint.engine.EngineOptions;
import dev.stint.model.FeatureGates;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * How a Job controller works.
 *
 * @param claim which Jobs are ours by name of the controller
 * @param only which of those to work on; the others wait as they are
 * @param syncBatchPeriod the longest that a change may wait for others to be handled with it
 * @param concurrentSyncs how many Jobs are worked on at once; the others wait their turn
 */
public record JobControllerOptions(
    Claim claim,
    Predicate<KubeObject> only,
    FeatureGates gates,
    EngineOptions engine,
    Duration syncBatchPeriod,
    int concurrentSyncs) {
  public static final JobControllerOptions DEFAULT =
      new JobControllerOptions(
          Claim.BUILT_IN,
          job -> true,
          FeatureGates.DEFAULT,
          EngineOptions.DEFAULT,
          Duration.ofSeconds(1),
          64);
}
