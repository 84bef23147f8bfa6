package dev.stint.cli.plane;

import dev.stint.cli.flag.FlagConverters;
import dev.stint.controllers.job.Claim;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.engine.EngineOptions;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.FeatureGates;
import dev.stint.model.KubeObject;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The flags that {@code up}, {@code run} and {@code controller} share; a mixin. */
public final class ControllerOptions {
  @Spec(Spec.Target.MIXEE)
  @Nullable CommandSpec command;

  @Option(
      names = "--feature-gates",
      paramLabel = "A=true,B=false",
      description = "Feature gates to turn on or off (default: those of Kubernetes 1.36).")
  FeatureGates featureGates = FeatureGates.DEFAULT;

  @Option(
      names = "--metrics-listen",
      paramLabel = "ADDRESS:PORT",
      description =
          "Address to serve /metrics, /healthz and /readyz on, over plain HTTP; port 0 "
              + "picks a free port (default: none).")
  @Nullable InetSocketAddress metricsListen;

  @Option(
      names = "--concurrent-job-syncs",
      paramLabel = "N",
      description =
          "Maximum number of Jobs that are synced at once (default: 64; for stint controller, the "
              + "number of requests in two seconds, at least 64 and at most 1000).")
  @Nullable Integer concurrentJobSyncs;

  @Option(
      names = "--sync-batch-period",
      paramLabel = "DURATION",
      defaultValue = "1s",
      description =
          "Time for which a failure during a back-off waits to be counted with others "
              + "(default: ${DEFAULT-VALUE}).")
  Duration syncBatchPeriod = Duration.ZERO;

  @Option(
      names = "--pod-failure-backoff",
      paramLabel = "DURATION",
      defaultValue = "10s",
      description =
          "Delay before a failed pod is replaced; it doubles with each failure, and "
              + "starts at the end of the pod in whole seconds (default: ${DEFAULT-VALUE}).")
  Duration podFailureBackoff = Duration.ZERO;

  @Option(
      names = "--max-pod-failure-backoff",
      paramLabel = "DURATION",
      defaultValue = "10m",
      description = "Maximum delay before a failed pod is replaced (default: ${DEFAULT-VALUE}).")
  Duration maxPodFailureBackoff = Duration.ZERO;

  @Option(
      names = "--max-uncounted-pods",
      paramLabel = "N",
      defaultValue = "500",
      description =
          "Maximum number of pods in status.uncountedTerminatedPods (default: ${DEFAULT-VALUE}).")
  int maxUncountedPods;

  @Option(
      names = "--max-pod-changes-per-sync",
      paramLabel = "N",
      defaultValue = "500",
      description =
          "Maximum number of pods that one sync creates or deletes (default: ${DEFAULT-VALUE}).")
  int maxPodChangesPerSync;

  /** Returns the defaults of the flags. */
  public static ControllerOptions defaults() {
    ControllerOptions options = new ControllerOptions();
    FlagConverters.register(new CommandLine(ControllerOptionsSpec.of(options))).parseArgs();
    return options;
  }

  /**
   * Checks the rules that the parser cannot; to be called before anything else.
   *
   * @throws ParameterException with a message for the user
   */
  public void check() {
    atLeastOne("--concurrent-job-syncs", jobSyncs(1));
    atLeastOne("--max-uncounted-pods", maxUncountedPods);
    atLeastOne("--max-pod-changes-per-sync", maxPodChangesPerSync);
    require(maxUncountedPods <= 500, "--max-uncounted-pods must be at most 500 (KEP-2307)");
    require(!podFailureBackoff.isZero(), "--pod-failure-backoff must be more than 0s");
    require(
        maxPodFailureBackoff.compareTo(podFailureBackoff) >= 0,
        "--max-pod-failure-backoff must not be less than --pod-failure-backoff");
  }

  public FeatureGates featureGates() {
    return featureGates;
  }

  /** Returns the options of a controller of the built-in name that works on these Jobs only. */
  public JobControllerOptions jobs(Predicate<KubeObject> only) {
    return jobs(Claim.BUILT_IN, only, JobControllerOptions.DEFAULT.concurrentSyncs());
  }

  /**
   * Returns the options of a controller with this claim that works on these Jobs only.
   *
   * @param usualSyncs the number of Jobs that are synced at once unless a flag says otherwise
   */
  public JobControllerOptions jobs(Claim claim, Predicate<KubeObject> only, int usualSyncs) {
    return new JobControllerOptions(
        claim,
        only,
        featureGates,
        new EngineOptions(
            new ExponentialBackoff(podFailureBackoff, maxPodFailureBackoff),
            maxUncountedPods,
            maxPodChangesPerSync),
        syncBatchPeriod,
        jobSyncs(usualSyncs));
  }

  private int jobSyncs(int usual) {
    return concurrentJobSyncs == null ? usual : concurrentJobSyncs;
  }

  private void atLeastOne(String flag, int value) {
    require(value >= 1, flag + " must be at least 1");
  }

  private void require(boolean holds, String message) {
    if (!holds) {
      throw new ParameterException(Objects.requireNonNull(command).commandLine(), message);
    }
  }

  /** Returns the metrics, with their own address if one was given. */
  public MetricsServing metrics() {
    return new MetricsServing(metricsListen);
  }
}
