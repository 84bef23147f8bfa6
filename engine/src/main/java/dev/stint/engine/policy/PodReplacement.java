package dev.stint.engine.policy;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.PodReplacementPolicy;

/**
 * Pod replacement policy (KEP-3939): decides whether a pod that is being deleted counts as failed
 * at once, or has to stop first. A pod failure policy needs to see how the pod ends, so it waits
 * too.
 */
public final class PodReplacement {
  private PodReplacement() {}

  /** True if only a stopped pod counts as failed and is replaced. */
  public static boolean waitsForStop(JobSpec spec, FeatureGates gates) {
    return spec.podFailurePolicy() != null
        || gates.has(Gate.JobPodReplacementPolicy)
            && spec.podReplacementPolicy() == PodReplacementPolicy.Failed;
  }
}
