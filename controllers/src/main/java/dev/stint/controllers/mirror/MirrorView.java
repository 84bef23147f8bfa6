package dev.stint.controllers.mirror;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.model.FeatureGates;
import dev.stint.model.KubeObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The known state of one Job and its copy.
 *
 * @param job the manager's Job of that name; null if there is none
 * @param isManagers true if the cluster that answered for the Job is the manager for sure
 * @param copy the worker's Job of that name, whoever made it; null if there is none
 * @param assignee the worker's name; null if it is the only one, which gets all Jobs
 * @param worker which cluster the worker is, by the uid of its {@code kube-system}
 * @param deletion the propagation of the Job's deletion, if its finalizers no longer show it
 * @param made the copy as this mirror has seen it with its ties; null if it never has
 * @param evidence the findings about the pods of a copy that is gone or ended; null if nobody
 *     looked yet
 * @param problem the known obstacle; null if there is none
 */
record MirrorView(
    MirrorOwnership ownership,
    FeatureGates gates,
    Instant now,
    @Nullable String assignee,
    String worker,
    Propagation deletion,
    @Nullable KubeObject job,
    boolean isManagers,
    @Nullable KubeObject copy,
    @Nullable MadeCopy made,
    @Nullable Evidence evidence,
    @Nullable MirrorProblem problem) {

  /**
   * The remains of a copy that is gone, or that has ended.
   *
   * @param worker the cluster that reports it gone
   * @param podsLeft the number of its remaining pods; of one that is there, of those that go on
   */
  record Evidence(String worker, int podsLeft) {}

  /** True if the Job is assigned to this worker. */
  boolean isAssigned(KubeObject claimed) {
    return MirrorWorker.isAssigned(assignee, claimed);
  }

  /** Returns the worker's name in messages. */
  String title() {
    return MirrorWorker.title(assignee);
  }

  /** Returns this view with another state of the manager's Job. */
  MirrorView withJob(@Nullable KubeObject newer) {
    return withJob(newer, isManagers);
  }

  /** Returns this view with what the manager for sure answered for the Job. */
  MirrorView withJobOfManager(@Nullable KubeObject newer) {
    return withJob(newer, true);
  }

  private MirrorView withJob(@Nullable KubeObject newer, boolean isSure) {
    return new MirrorView(
        ownership, gates, now, assignee, worker, deletion, newer, isSure, copy, made, evidence,
        problem);
  }

  /** Returns this view with another state of the worker's Job. */
  MirrorView withCopy(@Nullable KubeObject newer) {
    return with(newer, made, evidence, problem);
  }

  /** Returns this view with the copy as this mirror has seen it. */
  MirrorView with(@Nullable MadeCopy seen) {
    return with(copy, seen, evidence, problem);
  }

  /** Returns this view with the findings about the pods of the copy. */
  MirrorView with(Evidence found) {
    return with(copy, made, found, problem);
  }

  /** Returns this view with an obstacle. */
  MirrorView with(MirrorProblem met) {
    return with(copy, made, evidence, met);
  }

  private MirrorView with(
      @Nullable KubeObject newer,
      @Nullable MadeCopy seen,
      @Nullable Evidence found,
      @Nullable MirrorProblem met) {
    return new MirrorView(
        ownership,
        gates,
        now,
        assignee,
        worker,
        deletion,
        job,
        isManagers,
        newer,
        seen,
        found,
        met);
  }
}
