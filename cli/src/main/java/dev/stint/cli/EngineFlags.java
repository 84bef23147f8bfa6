package dev.stint.cli;

import dev.stint.controllers.Claim;
import dev.stint.controllers.JobControllerOptions;
import dev.stint.engine.EngineOptions;
import dev.stint.engine.policy.Backoff;
import dev.stint.model.FeatureGates;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.util.function.Predicate;
import picocli.CommandLine.Option;

/** The flags of every command that runs a Job controller. */
final class EngineFlags {
  @Option(
      names = "--feature-gates",
      paramLabel = "A=true,B=false",
      description = "Features to turn on or off; all are on.")
  private FeatureGates gates = FeatureGates.DEFAULT;

  @Option(
      names = "--sync-batch-period",
      paramLabel = "DURATION",
      description = "The longest that a change waits to be handled with others. Default: 1s.")
  private Duration syncBatchPeriod = Duration.ofSeconds(1);

  @Option(
      names = "--pod-failure-backoff",
      paramLabel = "DURATION",
      description = "The delay before a failed pod is replaced; doubles each time. Default: 10s.")
  private Duration podFailureBackoff = EngineOptions.DEFAULT.backoff().base();

  @Option(
      names = "--max-pod-failure-backoff",
      paramLabel = "DURATION",
      description = "The longest such delay. Default: 10m.")
  private Duration maxPodFailureBackoff = EngineOptions.DEFAULT.backoff().max();

  @Option(
      names = "--max-uncounted-pods",
      paramLabel = "N",
      description = "Most finished pods accounted for at a time, 1 to 500. Default: 500.")
  private int maxUncountedPods = EngineOptions.DEFAULT.maxUncountedPods();

  @Option(
      names = "--max-pod-changes-per-sync",
      paramLabel = "N",
      description = "Most pods of a Job created or deleted at a time. Default: 500.")
  private int maxPodChangesPerSync = EngineOptions.DEFAULT.maxPodChangesPerSync();

  FeatureGates gates() {
    return gates;
  }

  /** The options that the flags ask for, for a controller of the Jobs that {@code only} names. */
  JobControllerOptions options(Predicate<KubeObject> only) {
    atLeast("--max-uncounted-pods", maxUncountedPods, 1);
    atLeast("--max-pod-changes-per-sync", maxPodChangesPerSync, 1);
    if (maxUncountedPods > EngineOptions.DEFAULT.maxUncountedPods()) {
      throw new UserException(
          "--max-uncounted-pods is " + maxUncountedPods + "; it may be at most 500");
    }
    return new JobControllerOptions(
        Claim.BUILT_IN,
        only,
        gates,
        new EngineOptions(
            new Backoff(podFailureBackoff, maxPodFailureBackoff),
            maxUncountedPods,
            maxPodChangesPerSync),
        syncBatchPeriod);
  }

  static void atLeast(String flag, int value, int least) {
    if (value < least) {
      throw new UserException(flag + " is " + value + "; it must be at least " + least);
    }
  }
}
