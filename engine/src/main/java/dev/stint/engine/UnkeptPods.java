package dev.stint.engine;

import dev.stint.engine.pod.PodView;
import dev.stint.engine.policy.KeepPods;
import dev.stint.model.job.options.KeptPods;
import dev.stint.model.job.options.Linger;
import java.util.List;

/**
 * The counted pods that a Job does not keep, by {@code stint.dev/keep-pods} (decision 83). Without
 * that annotation, no finished pod is deleted because it was counted (KEP-2307, Non-Goals).
 */
final class UnkeptPods {
  private UnkeptPods() {}

  /**
   * Returns the pods that may be deleted. While the Job goes on, those stay that the next back-off
   * or the next pod is derived from.
   *
   * @param ends true if the Job ends once they are gone
   * @param most how many may be deleted at once
   */
  static List<PodView> of(JobView job, Ledger ledger, Tracking round, boolean ends, int most) {
    KeptPods kept = job.options().keepPods();
    if (kept == null || !round.usesFinalizers()) {
      return List.of();
    }
    PodView success = ledger.lastSuccessAfterFailures();
    return KeepPods.surplus(kept, ledger.counted()).stream()
        .filter(pod ->
            ends
                || !pod.equals(success)
                    && !ledger.delaysOthers(pod)
                    && !isNeeded(job, ledger, round, pod))
        .limit(most)
        .toList();
  }

  /** True if the next pod of an unfinished index follows from this one. */
  private static boolean isNeeded(JobView job, Ledger ledger, Tracking round, PodView pod) {
    boolean recreates = job.options().success().linger() == Linger.ContinueWithRecreations;
    return (ledger.handsOnMemory(pod) || recreates)
        && !round.completedIndexes().contains(pod.index())
        && !round.allFailedIndexes().contains(pod.index());
  }
}
