package dev.stint.model;

import java.util.EnumSet;
import java.util.Set;

/**
 * Which features are on. An immutable value, handed to every function whose answer depends on it.
 *
 * @param enabled the gates that are on
 */
public record FeatureGates(Set<Gate> enabled) {
  /** The gates of the proposals, by their Kubernetes names. All are on by default. */
  public enum Gate {
    /** KEP-2307. */
    JobTrackingWithoutLingeringPods,
    /** KEP-3998. */
    JobSuccessPolicy,
    /** KEP-4368. */
    JobManagedBy,
    /** KEP-3850. */
    JobBackoffLimitPerIndex,
    /** KEP-3939. */
    JobPodReplacementPolicy
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
