package dev.stint.engine;

import dev.stint.engine.pod.PodView;

/**
 * A pod to create.
 *
 * @param index the completion index; {@link PodView#NO_INDEX} for a NonIndexed Job
 * @param failureCount for the annotation of KEP-3850; {@link #NOT_COUNTED} if the Job has no limit
 *     per index
 * @param ignoredFailureCount likewise; 0 leaves the annotation out
 * @param tracked whether it gets the tracking finalizer
 */
public record PodPlan(int index, int failureCount, int ignoredFailureCount, boolean tracked) {
  public static final int NOT_COUNTED = -1;

  /** Creates the plan of a tracked pod. */
  PodPlan(int index, int failureCount, int ignoredFailureCount) {
    this(index, failureCount, ignoredFailureCount, true);
  }

  /** Returns the same plan, tracked or not. */
  PodPlan tracked(boolean withFinalizer) {
    return new PodPlan(index, failureCount, ignoredFailureCount, withFinalizer);
  }
}
