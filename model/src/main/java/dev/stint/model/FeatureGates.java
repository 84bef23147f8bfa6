package dev.stint.model;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The enabled feature gates: an immutable value, passed to every function that depends on them.
 *
 * <pre>{@code
 * FeatureGates gates = FeatureGates.DEFAULT.with(Gate.JobManagedBy, false);
 * }</pre>
 *
 * @param enabled the gates that are on
 */
public record FeatureGates(Set<Gate> enabled) {
  /**
   * The gates that this program knows, by their Kubernetes names and with the defaults of 1.36.
   * Gates of proposals that came later are off.
   *
   * <p>Disabling a gate removes nothing from a stored object: its fields stay without effect. New
   * objects lose the fields of disabled gates.
   */
  public enum Gate {
    /** KEP-3257: projected volumes of trust bundles. */
    ClusterTrustBundleProjection(false),
    /** KEP-4960: {@code lifecycle.stopSignal}. */
    ContainerStopSignals(false),
    /** KEP-4355: {@code strategy} and {@code preferredHolder} of Leases. */
    CoordinatedLeaderElection(false),
    /** KEP-6281, after 1.36: {@code status.nextScheduleTime} of CronJobs. */
    CronJobsNextScheduleTime(false),
    /** Elastic Indexed Jobs, KEP-3715: {@code completions} may follow {@code parallelism}. */
    ElasticIndexedJob(true),
    /** KEP-4671: {@code schedulingGroup} of pods. */
    GenericWorkload(false),
    /** KEP-3850: {@code backoffLimitPerIndex}, {@code maxFailedIndexes}, action FailIndex. */
    JobBackoffLimitPerIndex(true),
    /** KEP-4368: {@code managedBy}. */
    JobManagedBy(true),
    /** KEP-3329: {@code podFailurePolicy}. */
    JobPodFailurePolicy(true),
    /** KEP-3939: {@code podReplacementPolicy}. */
    JobPodReplacementPolicy(true),
    /** KEP-3998: {@code successPolicy}. */
    JobSuccessPolicy(true),
    /** KEP-2307. */
    JobTrackingWithoutLingeringPods(true),
    /** KEP-5440: {@code resources} of a suspended Job's pods may change. */
    MutablePodResourcesForSuspendedJobs(true),
    /** The scheduling directives of a suspended Job may change, even if it was started before. */
    MutableSchedulingDirectivesForSuspendedJobs(true),
    /** KEP-4317: projected volumes of certificates. */
    PodCertificateRequest(false),
    /** KEP-4443, after 1.36: {@code name} of the rules of a {@code podFailurePolicy}. */
    PodFailurePolicyName(false);

    private final boolean onByDefault;

    Gate(boolean onByDefault) {
      this.onByDefault = onByDefault;
    }

    /** True if this gate is on by default in Kubernetes 1.36. */
    public boolean isOnByDefault() {
      return onByDefault;
    }
  }

  public static final FeatureGates DEFAULT =
      new FeatureGates(
          Arrays.stream(Gate.values())
              .filter(Gate::isOnByDefault)
              .collect(Collectors.toUnmodifiableSet()));

  public FeatureGates {
    enabled = Set.copyOf(enabled);
  }

  public boolean has(Gate gate) {
    return enabled.contains(gate);
  }

  /** Returns a copy with one gate turned on or off. */
  public FeatureGates with(Gate gate, boolean on) {
    Set<Gate> changed = EnumSet.noneOf(Gate.class);
    changed.addAll(enabled);
    if (on) {
      changed.add(gate);
    } else {
      changed.remove(gate);
    }
    return new FeatureGates(changed);
  }

  /** Returns the gates that are on, such as {@code [JobManagedBy, JobSuccessPolicy]}. */
  @Override
  public String toString() {
    return new TreeSet<>(enabled).toString();
  }
}
