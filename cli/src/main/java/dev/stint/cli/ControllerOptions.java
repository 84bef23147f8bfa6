package dev.stint.cli;

import dev.stint.model.FeatureGates;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The flags that {@code up}, {@code run} and {@code controller} share; a mixin. */
final class ControllerOptions {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  @Option(
      names = "--feature-gates",
      paramLabel = "A=true,B=false",
      description = "Features to turn on or off; all are on.")
  private FeatureGates featureGates = FeatureGates.DEFAULT;

  @Option(
      names = "--concurrent-job-syncs",
      paramLabel = "N",
      defaultValue = "5",
      description = "How many Jobs are worked on at once (default: ${DEFAULT-VALUE}).")
  private int concurrentJobSyncs;

  @Option(
      names = "--sync-batch-period",
      paramLabel = "DURATION",
      defaultValue = "1s",
      description = "How long changes of a Job are gathered at most (default: ${DEFAULT-VALUE}).")
  private Duration syncBatchPeriod = Duration.ZERO;

  @Option(
      names = "--pod-failure-backoff",
      paramLabel = "DURATION",
      defaultValue = "10s",
      description = "Delay of the first retry; it doubles from there (default: ${DEFAULT-VALUE}).")
  private Duration podFailureBackoff = Duration.ZERO;

  @Option(
      names = "--max-pod-failure-backoff",
      paramLabel = "DURATION",
      defaultValue = "10m",
      description = "The longest delay of a retry (default: ${DEFAULT-VALUE}).")
  private Duration maxPodFailureBackoff = Duration.ZERO;

  @Option(
      names = "--max-uncounted-pods",
      paramLabel = "N",
      defaultValue = "500",
      description = "Finished pods that one status may list (default: ${DEFAULT-VALUE}).")
  private int maxUncountedPods;

  @Option(
      names = "--max-pod-changes-per-sync",
      paramLabel = "N",
      defaultValue = "500",
      description = "Pods to create or delete at a time (default: ${DEFAULT-VALUE}).")
  private int maxPodChangesPerSync;

  @Option(
      names = "--metrics-listen",
      paramLabel = "HOST:PORT",
      description = "Serve /metrics, /healthz and /readyz there; port 0 picks a free one.")
  private @Nullable InetSocketAddress metricsListen;

  /**
   * Checks what the parser cannot; to be called before anything else.
   *
   * @throws ParameterException with a message for the user
   */
  void check() {
    atLeastOne("--concurrent-job-syncs", concurrentJobSyncs);
    atLeastOne("--max-uncounted-pods", maxUncountedPods);
    atLeastOne("--max-pod-changes-per-sync", maxPodChangesPerSync);
    require(maxUncountedPods <= 500, "--max-uncounted-pods may be 500 at most (KEP-2307)");
    require(!podFailureBackoff.isZero(), "--pod-failure-backoff must be more than 0s");
    require(
        maxPodFailureBackoff.compareTo(podFailureBackoff) >= 0,
        "--max-pod-failure-backoff must not be less than --pod-failure-backoff");
  }

  FeatureGates featureGates() {
    return featureGates;
  }

  int concurrentJobSyncs() {
    return concurrentJobSyncs;
  }

  Duration syncBatchPeriod() {
    return syncBatchPeriod;
  }

  Duration podFailureBackoff() {
    return podFailureBackoff;
  }

  Duration maxPodFailureBackoff() {
    return maxPodFailureBackoff;
  }

  int maxUncountedPods() {
    return maxUncountedPods;
  }

  int maxPodChangesPerSync() {
    return maxPodChangesPerSync;
  }

  /** Null where metrics are not to be served. */
  @Nullable InetSocketAddress metricsListen() {
    return metricsListen;
  }

  private void atLeastOne(String flag, int value) {
    require(value >= 1, flag + " must be at least 1");
  }

  private void require(boolean holds, String message) {
    if (!holds) {
      throw new ParameterException(Objects.requireNonNull(command).commandLine(), message);
    }
  }
}
