package dev.stint.controllers.metrics;

import java.time.Duration;

/** The metrics of the Job controller (KEP-2307, KEP-3850, KEP-4368: Monitoring). */
public interface JobMetrics {
  JobMetrics NONE = new JobMetrics() {};

  /** The main action of a sync. */
  enum SyncAction {
    reconciling,
    tracking,
    pods_created,
    pods_deleted
  }

  /** The reason for which a pod was created. */
  enum CreationReason {
    NEW("new"),
    RECREATE_TERMINATING_OR_FAILED("recreate_terminating_or_failed"),
    RECREATE_FAILED("recreate_failed");

    private final String label;

    CreationReason(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  /** The change of the tracking finalizer of a finished pod. */
  enum FinalizerEvent {
    /** A pod with the finalizer has finished. */
    add,
    /** A finished pod has lost the finalizer, or is gone. */
    delete
  }

  /** Records one sync of a Job, and whether it succeeded. */
  default void onSync(boolean indexed, SyncAction action, boolean success, Duration took) {}

  /**
   * Records that a Job has ended.
   *
   * @param reason of its condition
   */
  default void onJobFinished(boolean indexed, boolean complete, String reason) {}

  /** Records pods that have been counted. */
  default void onPodsFinished(boolean indexed, int succeeded, int failed) {}

  /** Records the creation of a pod, or its failure. */
  default void onPodCreation(CreationReason reason, boolean success) {}

  default void onTerminatedPod(FinalizerEvent event) {}

  /**
   * Records indexes that the status now lists.
   *
   * @param perIndex whether the Job has a backoff limit per index
   */
  default void onIndexesFinished(boolean perIndex, int succeeded, int failed) {}

  /** Records the first sight of a Job that belongs to another controller. */
  default void onForeignJob(String controllerName) {}

  /**
   * Records that a rule of a pod failure policy matched a pod that is now counted or released.
   *
   * @param action the rule's, such as {@code FailJob}
   */
  default void onFailureHandled(String action) {}
}
