package dev.stint.controllers.mirror;

import dev.stint.model.KubeObject;

/**
 * What ties copies to a mirror. Several mirrors may share a worker; each touches its own copies
 * only.
 *
 * @param origin the manager, by the uid of its {@code kube-system}
 * @param claim the {@code managedBy} of the Jobs that it mirrors
 */
public record MirrorOwnership(String origin, String claim) {
  /** Whether this mirror made a Job of the worker, whatever it is a copy of. */
  public boolean made(KubeObject copy) {
    return origin.equals(copy.label(MirrorNames.FROM))
        && claim.equals(copy.annotation(MirrorNames.CLAIM))
        && copy.label(MirrorNames.OF) != null;
  }

  /** Whether a Job of the worker is this mirror's copy of a Job of the manager. */
  public boolean binds(KubeObject copy, KubeObject job) {
    return made(copy) && job.uid().equals(copy.label(MirrorNames.OF));
  }
}
