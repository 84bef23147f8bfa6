package dev.stint.controllers.mirror;

/**
 * Why a Job cannot be mirrored for now; shown as a condition of the manager's Job.
 *
 * @param message for the user: what is wrong, and what helps
 */
public record MirrorProblem(Reason reason, String message) {
  /** The reasons of the condition where it is not True. */
  public enum Reason {
    /** The worker does not answer. */
    WorkerUnreachable,
    /** The worker answers that we may not. */
    WorkerRefuses,
    /** What answers is not the cluster that the copy is in. */
    OtherWorker,
    /** The worker has a Job of that name which is not ours. */
    NameTaken,
    /** The worker does not take the copy. */
    CopyRefused,
    /** The worker does not take a change of the copy. */
    ChangeRefused,
    /** The manager would not take the copy's status. */
    StatusRefused,
    /** Somebody else deleted the copy. */
    CopyDeleted;

    /** As it reads in the condition. */
    public String word() {
      return name();
    }
  }

  /** The worker does not answer. */
  public static MirrorProblem unreachable() {
    return new MirrorProblem(
        Reason.WorkerUnreachable,
        "the worker cluster does not answer; what is shown here may be old until it does");
  }

  /** Whether nothing is known of the worker. */
  boolean blind() {
    return reason == Reason.WorkerUnreachable || reason == Reason.WorkerRefuses;
  }

  static MirrorProblem nameTaken(boolean sameCluster) {
    return new MirrorProblem(
        Reason.NameTaken,
        sameCluster
            ? "manager and worker are the same cluster; a mirror needs two"
            : "the worker cluster has another Job of this name, which is left alone; delete or"
                + " rename one of them");
  }

  static MirrorProblem otherWorker(String recorded, String found) {
    return new MirrorProblem(
        Reason.OtherWorker,
        "the copy is in the cluster %s, and the mirror works with %s; give the mirror its worker back"
            .formatted(recorded, found));
  }

  static MirrorProblem copyDeleted() {
    return new MirrorProblem(Reason.CopyDeleted, "somebody deleted the copy on the worker cluster");
  }
}
