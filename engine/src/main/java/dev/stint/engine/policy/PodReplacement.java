package dev.stint.engine.policy;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.PodReplacementPolicy;

/**
 * Pod replacement policy (KEP-3939): whether a pod that is being deleted is as good as failed, or
 * has to stop first. A pod failure policy needs to see how the pod ends, and so waits too.
 */
public final class PodReplacement {
  private PodReplacement() {}

  /** Whether only a pod that stopped counts as failed and is replaced. */
  public static boolean onlyStopped(JobSpec spec, FeatureGates gates) {
    return spec.podFailurePolicy() != null
        || gates.has(Gate.JobPodReplacementPolicy)
            && spec.podReplacementPolicy() == PodReplacementPolicy.Failed;
  }
}
