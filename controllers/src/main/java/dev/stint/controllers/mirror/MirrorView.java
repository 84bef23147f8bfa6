package dev.stint.controllers.mirror;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.model.FeatureGates;
import dev.stint.model.KubeObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one Job and its copy.
 *
 * @param job the manager's Job of that name; null where there is none
 * @param copy the worker's Job of that name, whoever made it; null where there is none
 * @param worker which cluster the worker is, by the uid of its {@code kube-system}
 * @param deletion how the manager's Job was deleted, where that is not written on it any more
 * @param evidence what was found where the copy is gone; null where nobody looked yet
 * @param problem what stands in the way; null where nothing is known to
 */
public record MirrorView(
    MirrorOwnership tie,
    FeatureGates gates,
    Instant now,
    String worker,
    Propagation deletion,
    @Nullable KubeObject job,
    @Nullable KubeObject copy,
    @Nullable Evidence evidence,
    @Nullable MirrorProblem problem) {

  /**
   * What is left of a copy that is gone.
   *
   * @param worker which cluster says that it is gone
   * @param podsLeft how many pods of it there are still
   */
  public record Evidence(String worker, int podsLeft) {}

  /** The same with another state of the manager's Job. */
  public MirrorView withJob(@Nullable KubeObject newer) {
    return new MirrorView(tie, gates, now, worker, deletion, newer, copy, evidence, problem);
  }

  /** The same with another state of the worker's Job. */
  public MirrorView withCopy(@Nullable KubeObject newer) {
    return new MirrorView(tie, gates, now, worker, deletion, job, newer, evidence, problem);
  }

  /** The same, now that somebody looked what is left of the copy. */
  public MirrorView with(Evidence found) {
    return new MirrorView(tie, gates, now, worker, deletion, job, copy, found, problem);
  }

  /** The same, now that something stands in the way. */
  public MirrorView with(MirrorProblem met) {
    return new MirrorView(tie, gates, now, worker, deletion, job, copy, evidence, met);
  }
}
