package dev.stint.engine;

import dev.stint.engine.pod.ContainerMemory;
import dev.stint.engine.pod.PodView;
import java.util.List;

/**
 * A pod to create.
 *
 * @param index the completion index; {@link PodView#NO_INDEX} for a NonIndexed Job
 * @param failureCount for the annotation of KEP-3850; {@link #NOT_COUNTED} if the Job has no limit
 *     per index
 * @param ignoredFailureCount likewise; 0 leaves the annotation out
 * @param tracked whether it gets the tracking finalizer
 * @param memory the containers that get more memory than the template says
 */
public record PodPlan(
    int index,
    int failureCount,
    int ignoredFailureCount,
    boolean tracked,
    List<ContainerMemory> memory) {
  public static final int NOT_COUNTED = -1;

  /** Creates the plan of a tracked pod. */
  PodPlan(int index, int failureCount, int ignoredFailureCount) {
    this(index, failureCount, ignoredFailureCount, true, List.of());
  }

  /** Returns the same plan, tracked or not. */
  PodPlan tracked(boolean withFinalizer) {
    return new PodPlan(index, failureCount, ignoredFailureCount, withFinalizer, memory);
  }

  /** Returns the same plan with this memory. */
  PodPlan with(List<ContainerMemory> more) {
    return new PodPlan(index, failureCount, ignoredFailureCount, tracked, more);
  }
}
