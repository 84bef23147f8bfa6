package dev.stint.controllers.metrics;

import java.time.Duration;

/** What the Job controller does (KEP-2307, KEP-3850, KEP-4368: Monitoring). */
public interface JobMetrics {
  JobMetrics NONE = new JobMetrics() {};

  /** What a sync was about, mostly. */
  enum SyncAction {
    reconciling,
    tracking,
    pods_created,
    pods_deleted
  }

  /** Why a pod was created. */
  enum CreationReason {
    NEW("new"),
    RECREATE_TERMINATING_OR_FAILED("recreate_terminating_or_failed"),
    RECREATE_FAILED("recreate_failed");

    private final String label;

    CreationReason(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }

  /** What happens to the tracking finalizer of a pod that has finished. */
  enum FinalizerEvent {
    /** A pod with the finalizer has finished. */
    add,
    /** A finished pod has lost the finalizer, or is gone. */
    delete
  }

  /** A Job was looked at, and what followed from that was done or failed. */
  default void synced(boolean indexed, SyncAction action, boolean success, Duration took) {}

  /**
   * A Job has ended.
   *
   * @param reason of its condition
   */
  default void finished(boolean indexed, boolean complete, String reason) {}

  /** Pods have been counted. */
  default void podsFinished(boolean indexed, int succeeded, int failed) {}

  /** A pod was created, or could not be. */
  default void podCreated(CreationReason reason, boolean success) {}

  default void terminatedPod(FinalizerEvent event) {}

  /**
   * Indexes have been recorded.
   *
   * @param perIndex whether the Job has a backoff limit per index
   */
  default void indexesFinished(boolean perIndex, int succeeded, int failed) {}

  /** A Job was first seen that belongs to another controller. */
  default void leftToOthers(String controllerName) {}

  /**
   * A rule of a pod failure policy matched a pod that is counted now, or let go.
   *
   * @param action the rule's, such as {@code FailJob}
   */
  default void failureHandled(String action) {}
}
