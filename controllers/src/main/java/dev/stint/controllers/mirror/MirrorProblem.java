package dev.stint.controllers.mirror;

import dev.stint.model.KubeObject;
import java.time.Duration;

/**
 * The reason for which a Job cannot be mirrored for now; shown as a condition of the manager's Job.
 *
 * @param message the problem and its remedy, for the user
 */
record MirrorProblem(Reason reason, String message) {
  private static final int LONGEST_NAME = 63;

  /** The reasons of the condition if it is not True. */
  enum Reason {
    /** The worker does not answer. */
    WorkerUnreachable,
    /** The worker denies access. */
    WorkerRefuses,
    /** The cluster that answers is not the cluster of the copy. */
    OtherWorker,
    /** A Job on the worker that is not ours has that name. */
    NameTaken,
    /** The worker refuses the copy. */
    CopyRefused,
    /** The copy has lost the labels and annotations that tie it to the Job. */
    CopyUntied,
    /** The worker refuses a change of the copy. */
    ChangeRefused,
    /** The manager would refuse the copy's status. */
    StatusRefused,
    /** No worker takes the Job now. */
    NoWorker,
    /** The worker was lost after the Job's outcome was announced. */
    WorkerLost,
    /** Somebody else deleted the copy. */
    CopyDeleted,
    /** The Job is deleted, and its copy cannot be. */
    DeletionWaits;

    /** Returns the reason as the condition spells it. */
    String text() {
      return name();
    }
  }

  /** Returns the problem of a worker that does not answer. */
  static MirrorProblem unreachable(String worker) {
    return new MirrorProblem(
        Reason.WorkerUnreachable,
        worker + " does not answer; this status may be outdated until it does");
  }

  /** True if nothing is known of the worker. */
  boolean hidesWorker() {
    return reason == Reason.WorkerUnreachable || reason == Reason.WorkerRefuses;
  }

  /** Returns why the worker cannot be asked, without what follows for an unfinished Job. */
  String cause(String worker) {
    return reason == Reason.WorkerUnreachable ? worker + " does not answer" : message;
  }

  /**
   * Returns the problem of a Job whose deletion waits for that of its copy. It does not say since
   * when: two mirrors would not agree.
   */
  static MirrorProblem deletionWaits(String why) {
    return new MirrorProblem(
        Reason.DeletionWaits,
        ("the deletion waits for that of the copy, which may still run: %s; "
                + "if the worker never comes back, remove the finalizer %s (stint show says how)")
            .formatted(why, MirrorNames.FINALIZER));
  }

  static MirrorProblem nameTaken(boolean sameCluster) {
    return new MirrorProblem(
        Reason.NameTaken,
        sameCluster
            ? "manager and worker are the same cluster; a mirror needs two"
            : "the worker cluster has another Job of this name, which the mirror ignores; delete or"
                + " rename one of them");
  }

  static MirrorProblem otherWorker(String recorded, String found) {
    return new MirrorProblem(
        Reason.OtherWorker,
        "the copy is in the cluster %s, but the mirror uses %s; restart it with its former worker"
            .formatted(recorded, found));
  }

  /**
   * Returns the problem of a Job with a worker that the mirror was not given.
   *
   * @param worker its name, or its cluster
   * @param lostAfter how long the Job waits for it
   */
  static MirrorProblem unknownWorker(String worker, Duration lostAfter) {
    return new MirrorProblem(
        Reason.OtherWorker,
        "%s, or the Job starts anew on another one after %s"
            .formatted(restartWith(worker), minutes(lostAfter)));
  }

  /** Returns what to do if the mirror was not given a worker. */
  static String restartWith(String worker) {
    return "the mirror has no worker %s; restart it with this worker".formatted(shortened(worker));
  }

  private static String minutes(Duration duration) {
    return duration.toSeconds() % 60 == 0
        ? duration.toMinutes() + " min"
        : duration.toSeconds() + " s";
  }

  /** Returns a name that a user may have written to a Job, not longer than a name may be. */
  static String shortened(String name) {
    return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "…";
  }

  static MirrorProblem noWorker(String obstacles) {
    return new MirrorProblem(Reason.NoWorker, "no worker takes the Job now: " + obstacles);
  }

  /**
   * Returns the problem of a copy that has lost its ties before this mirror knew it. Anybody may
   * have recorded its uid, so only a user of the worker can say that it is the copy.
   */
  static MirrorProblem copyUntied(KubeObject job, MirrorOwnership tie) {
    long moves = MirrorNames.moves(job);
    return new MirrorProblem(
        Reason.CopyUntied,
        ("the copy has lost its ties to this Job; give them back on the worker cluster, or delete"
                + " the copy: kubectl label job %s -n %s --overwrite %s=%s %s=%s; kubectl annotate"
                + " job %s -n %s --overwrite %s=%s%s")
            .formatted(
                job.name(),
                job.namespace(),
                MirrorNames.OF,
                job.uid(),
                MirrorNames.FROM,
                tie.origin(),
                job.name(),
                job.namespace(),
                MirrorNames.CLAIM,
                tie.claim(),
                moves == 0 ? "" : " %s=%d".formatted(MirrorNames.MOVES, moves)));
  }

  static MirrorProblem workerLost() {
    return new MirrorProblem(
        Reason.WorkerLost, "the worker was lost after it had announced how the Job ends");
  }

  static MirrorProblem copyDeleted() {
    return new MirrorProblem(Reason.CopyDeleted, "somebody deleted the copy on the worker cluster");
  }
}
