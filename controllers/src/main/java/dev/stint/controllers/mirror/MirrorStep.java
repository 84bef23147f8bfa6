package dev.stint.controllers.mirror;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.model.KubeObject;
import java.util.List;

/** The next step for one Job. After each step, the controller decides again. */
sealed interface MirrorStep {
  /** Do nothing until something changes. */
  record Rest() implements MirrorStep {}

  /** Add the finalizer to the manager's Job, so that it is not removed before its copy. */
  record AddFinalizer(KubeObject job) implements MirrorStep {}

  /** Create a copy on the worker. */
  record Create(KubeObject copy) implements MirrorStep {}

  /** Record the copy and its cluster on the manager's Job. */
  record RecordCopy(KubeObject job, String copyUid, String worker) implements MirrorStep {}

  /** Update the copy: its specification, or its ties. */
  record Change(KubeObject copy) implements MirrorStep {}

  /** Turn the copy into an ordinary Job, which stays. */
  record Orphan(KubeObject copy) implements MirrorStep {}

  /**
   * Identify the cluster that answers for the manager, and read the Job again. A proxy that has no
   * route, or another cluster at the same address, knows nothing of the Job either.
   */
  record IdentifyManager() implements MirrorStep {}

  /** Delete the copy. */
  record Remove(KubeObject copy, Propagation propagation) implements MirrorStep {}

  /**
   * Confirm that the copy is missing: identify the cluster that says so, and delete its remaining
   * pods.
   */
  record Inspect(KubeObject job, String copyUid, String worker) implements MirrorStep {}

  /**
   * Count the pods of a copy that has ended. Workers before Kubernetes 1.31 do not correct the
   * counters of a Job that has ended.
   */
  record CountPods(KubeObject copy) implements MirrorStep {}

  /**
   * Write another status to the manager's Job, with events for what is new.
   *
   * @param events none or more
   */
  record Report(KubeObject job, List<StatusEvent> events) implements MirrorStep {}

  /** Remove the finalizer from the manager's Job. */
  record RemoveFinalizer(KubeObject job) implements MirrorStep {}

  /** An event. */
  record StatusEvent(boolean warning, String reason, String message) {}
}
