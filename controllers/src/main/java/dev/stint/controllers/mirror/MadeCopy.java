package dev.stint.controllers.mirror;

import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.Objects;

/**
 * A copy that this mirror made, as it was last seen with its ties.
 *
 * @param uid of the copy
 * @param of the uid of the manager's Job
 * @param moves how often the Job had moved when the copy was made
 */
record MadeCopy(String uid, ObjectRef ref, String of, long moves) {
  /** Reads a copy that has its ties. */
  static MadeCopy read(KubeObject copy) {
    String of = Objects.requireNonNull(copy.label(MirrorNames.OF));
    return new MadeCopy(copy.uid(), copy.ref(), of, MirrorNames.moves(copy));
  }

  /** True if it is the copy of a Job of the manager, made since the Job last moved. */
  boolean isOf(KubeObject job) {
    return of.equals(job.uid()) && moves == MirrorNames.moves(job);
  }
}
