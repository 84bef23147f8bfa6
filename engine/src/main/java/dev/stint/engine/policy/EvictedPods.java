package dev.stint.engine.policy;

import dev.stint.engine.pod.PodView;
import dev.stint.model.FewNames;
import dev.stint.model.job.options.JobOptions;
import dev.stint.model.pod.PodPhase;
import java.util.List;

/**
 * Evicted is not done (decision 92): if a Job's annotation says so, a pod that was being ended from
 * outside and then exits with 0 has failed, like one that exits with another code.
 */
public final class EvictedPods {
  /** The reason of the event about such pods. */
  public static final String REASON = "EvictedIsNotDone";

  private EvictedPods() {}

  /** Returns the pod with the phase that counts for its Job. */
  public static PodView judge(PodView pod, JobOptions options) {
    return pod.evicted() && options.evictedIsNotDone() ? pod.in(PodPhase.Failed) : pod;
  }

  /** Returns the message about pods that have failed by this rule. */
  public static String message(List<String> pods) {
    return "Exit code 0 does not count as success after a request from outside to end: "
        + (pods.size() == 1 ? "pod " : "pods ")
        + FewNames.of(pods);
  }
}
