package dev.stint.engine.policy;

import dev.stint.engine.pod.PodView;
import dev.stint.model.job.PodFailurePolicy.Action;

/**
 * Backoff limit per index (KEP-3850, Tracking the number of failures per index): failures count
 * towards the index that they happen in, and only there.
 */
public final class BackoffLimitPerIndex {
  private BackoffLimitPerIndex() {}

  /**
   * True if a failed pod fails its index for good: its failure was the limit's last, or a rule says
   * {@code FailIndex}.
   *
   * @param limit {@code spec.backoffLimitPerIndex}
   */
  public static boolean failsIndex(int limit, PodView pod, Action action) {
    return action == Action.FailIndex || action != Action.Ignore && pod.failureCount() >= limit;
  }

  /**
   * Returns the failure count of the pod that replaces a failed one: one more, unless a rule
   * ignored the failure.
   */
  public static int nextFailureCount(PodView failed, Action action) {
    return failed.failureCount() + (action == Action.Ignore ? 0 : 1);
  }

  /** Returns the count of ignored failures of the pod that replaces a failed one. */
  public static int nextIgnoredFailureCount(PodView failed, Action action) {
    return failed.ignoredFailureCount() + (action == Action.Ignore ? 1 : 0);
  }
}
