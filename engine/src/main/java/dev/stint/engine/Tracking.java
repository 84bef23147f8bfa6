package dev.stint.engine;

import dev.stint.engine.pod.PodView;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobStatus.Uncounted;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts the finished pods of a Job to the counts of its status. */
sealed interface Tracking permits Accounting, LegacyTracking {
  /** True if new pods get the tracking finalizer. */
  boolean usesFinalizers();

  /**
   * Releases every remaining pod once the Job's outcome is known. If the Job failed, they count as
   * failures, stopped or not; if it succeeded, those that have not stopped do not count.
   */
  void releaseAll(boolean success);

  /** Returns the pods whose finalizer is removed once the status of this round is stored. */
  Collection<PodView> untrack();

  /** Returns the pods to release once the status of this round is stored. */
  Collection<PodView> release();

  /** Returns the names of the pods that are listed now as evicted, and so as failed. */
  default List<String> evicted() {
    return List.of();
  }

  /** Returns the succeeded indexes that need no pod any more. */
  IndexSet completedIndexes();

  /** Returns the succeeded indexes to be recorded. */
  default IndexSet recordedIndexes() {
    return completedIndexes();
  }

  /** Returns all succeeded indexes, whether recorded, about to be, or merely seen. */
  default IndexSet allSucceededIndexes() {
    return completedIndexes();
  }

  /** Returns the failed indexes to be recorded; null without a backoff limit per index. */
  @Nullable IndexSet failedIndexes();

  /** Returns all failed indexes, whether recorded, about to be, or merely seen. */
  IndexSet allFailedIndexes();

  /** Returns the finished, uncounted pods to be listed; null if this tracking lists none. */
  @Nullable Uncounted uncounted();

  /** Returns the count of successes to be recorded. */
  int succeededCount();

  /** Returns the count of failures to be recorded. */
  int failedCount();

  /**
   * Counts all succeeded pods (for an Indexed Job, indexes), whether counted, listed or merely
   * seen.
   */
  int allSucceeded();

  /** Counts all failed pods, whether counted, listed or merely seen; without ignored ones. */
  int allFailed();

  /** True if no pod of the Job remains to be accounted for or stopped. */
  boolean isSettled();
}
