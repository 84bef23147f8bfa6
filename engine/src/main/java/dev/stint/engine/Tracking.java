package dev.stint.engine;

import dev.stint.engine.pod.PodView;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobStatus.Uncounted;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** How the finished pods of a Job become the counts of its status. */
sealed interface Tracking permits Accounting, LegacyTracking {
  /** Whether pods that are created get the tracking finalizer. */
  boolean withFinalizers();

  /**
   * Lets go of every pod that is left once the Job's fate is known. Where the Job failed, they
   * count as failures, whether they have stopped or not; where it succeeded, those that have not
   * stopped count as nothing.
   */
  void end(boolean success);

  /** Pods whose finalizer comes off once the status of this round is stored. */
  Collection<PodView> untrack();

  /** Pods to let go, likewise. */
  Collection<PodView> release();

  /** Succeeded indexes that need no pod any more. */
  IndexSet completedIndexes();

  /** Succeeded indexes, as they will be recorded. */
  default IndexSet recordedIndexes() {
    return completedIndexes();
  }

  /** Failed indexes, as they will be recorded; null without a backoff limit per index. */
  @Nullable IndexSet failedIndexes();

  /** Failed indexes, whether they are recorded, about to be, or merely seen. */
  IndexSet allFailedIndexes();

  /** What will be listed as finished and not counted yet; null where nothing ever is. */
  @Nullable Uncounted uncounted();

  /** The count that will be recorded. */
  int succeededCount();

  /** The count that will be recorded. */
  int failedCount();

  /**
   * Succeeded pods (for an Indexed Job, indexes), whether they are counted, listed or merely seen.
   */
  int allSucceeded();

  /** Failed pods, whether they are counted, listed or merely seen; without ignored ones. */
  int allFailed();

  /** Whether no pod of the Job is left to be accounted for or to be told to stop. */
  boolean settled();
}
