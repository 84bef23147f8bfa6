package dev.stint.controllers.after;

import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.after.PredecessorEnd;
import org.jspecify.annotations.Nullable;

/**
 * A Job as it was last seen, as far as it concerns the Jobs after it.
 *
 * @param completed its completed indexes; null if they are unknown
 */
record ObservedJob(PredecessorState state, @Nullable IndexSet completed) {
  static final ObservedJob NONE = new ObservedJob(PredecessorState.MISSING, null);

  /** Returns a Job with its completed indexes: both are of the same moment. */
  static ObservedJob withIndexes(KubeObject job) {
    return new ObservedJob(
        PredecessorState.of(job), JobStatus.read(job.status()).completedIndexes());
  }

  /**
   * Returns what is known of a Job that is gone: this, or what was recorded of it if it was deleted
   * before its indexes were read.
   */
  ObservedJob orRecorded(@Nullable PredecessorEnd end) {
    boolean isKnown = completed != null || state == PredecessorState.UNFINISHED;
    return isKnown || end == null
        ? this
        : new ObservedJob(
            end.complete() ? PredecessorState.COMPLETE : PredecessorState.FAILED, end.completed());
  }

  /** Returns a Job of which only the state is read. */
  static ObservedJob stateOnly(KubeObject job) {
    return new ObservedJob(PredecessorState.of(job), null);
  }
}
