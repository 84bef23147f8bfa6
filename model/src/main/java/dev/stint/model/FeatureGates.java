package dev.stint.model;

import java.util.EnumSet;
import java.util.Set;

/**
 * Which features are on. An immutable value, handed to every function whose answer depends on it.
 *
 * <pre>{@code
 * FeatureGates gates = FeatureGates.DEFAULT.with(Gate.JobManagedBy, false);
 * }</pre>
 *
 * @param enabled the gates that are on
 */
public record FeatureGates(Set<Gate> enabled) {
  /**
   * The gates that decide about Jobs, by their Kubernetes names. All are on by default.
   *
   * <p>Turning one off takes nothing from a stored Job: its fields stay and are no longer acted
   * upon. New Jobs lose the fields of gates that are off.
   */
  public enum Gate {
    /** Elastic Indexed Jobs, KEP-3715: {@code completions} may follow {@code parallelism}. */
    ElasticIndexedJob,
    /** KEP-3850: {@code backoffLimitPerIndex}, {@code maxFailedIndexes}, action FailIndex. */
    JobBackoffLimitPerIndex,
    /** KEP-4368: {@code managedBy}. */
    JobManagedBy,
    /** KEP-3329: {@code podFailurePolicy}. */
    JobPodFailurePolicy,
    /** KEP-3939: {@code podReplacementPolicy}. */
    JobPodReplacementPolicy,
    /** KEP-3998: {@code successPolicy}. */
    JobSuccessPolicy,
    /** KEP-2307. */
    JobTrackingWithoutLingeringPods,
    /** KEP-5440: {@code resources} of a suspended Job's pods may change. */
    MutablePodResourcesForSuspendedJobs,
    /** Where pods go may change while a Job is suspended again, having been started before. */
    MutableSchedulingDirectivesForSuspendedJobs
  }

  public static final FeatureGates DEFAULT = new FeatureGates(EnumSet.allOf(Gate.class));

  public FeatureGates {
    enabled = Set.copyOf(enabled);
  }

  public boolean has(Gate gate) {
    return enabled.contains(gate);
  }

  /** A copy with one gate turned on or off. */
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
}
