package dev.stint.controllers.mirror;

import dev.stint.model.KubeObject;

/**
 * The ownership of copies by a mirror. Several mirrors may share a worker; each changes its own
 * copies only.
 *
 * @param origin the manager, by the uid of its {@code kube-system}
 * @param claim the {@code managedBy} of the Jobs that it mirrors
 */
record MirrorOwnership(String origin, String claim) {
  /** True if this mirror made a Job of the worker, as a copy of any Job. */
  boolean hasMade(KubeObject copy) {
    return origin.equals(copy.label(MirrorNames.FROM))
        && claim.equals(copy.annotation(MirrorNames.CLAIM))
        && copy.label(MirrorNames.OF) != null;
  }

  /**
   * True if a Job of the worker is this mirror's copy of a Job of the manager, made since the Job
   * last moved.
   */
  boolean isCopyOf(KubeObject copy, KubeObject job) {
    return hasMade(copy)
        && job.uid().equals(copy.label(MirrorNames.OF))
        && MirrorNames.moves(copy) == MirrorNames.moves(job);
  }
}
