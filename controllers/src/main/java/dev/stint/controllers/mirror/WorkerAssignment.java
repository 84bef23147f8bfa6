package dev.stint.controllers.mirror;

import dev.stint.controllers.mirror.AssignmentStep.Assign;
import dev.stint.controllers.mirror.AssignmentStep.Keep;
import dev.stint.controllers.mirror.AssignmentStep.Move;
import dev.stint.controllers.mirror.AssignmentStep.Refuse;
import dev.stint.model.KubeObject;
import dev.stint.model.job.mirror.Mirrored;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which worker runs a Job, of those that can be used and take it. A Job stays with its
 * worker until that is lost, that is, does not answer for a long time while others do, and another
 * one can take the Job.
 *
 * @param workers in the order of preference
 * @param start since when the workers are followed, and one or more of them can be used: nothing is
 *     lost before, since the fault may have been that of the mirror
 */
record WorkerAssignment(
    List<WorkerState> workers, AssignmentOptions options, Instant start, Instant now) {

  /**
   * Returns the next step for a Job that is to be mirrored.
   *
   * @param copies the search for a copy, in case that the Job says nothing of one
   */
  AssignmentStep next(KubeObject job, CopySearch copies) {
    String assigned = job.annotation(MirrorNames.ASSIGNED);
    String recorded = job.annotation(MirrorNames.WORKER);
    if (assigned == null && recorded == null) {
      return copies
          .found()
          .<AssignmentStep>map(copy -> new Assign(copy.worker(), copy.moves()))
          .orElseGet(() -> assignNew(job, copies.isComplete()));
    }
    WorkerState worker = worker(assigned, recorded);
    if (worker == null) {
      return replace(job, assigned, goneSince(assigned));
    }
    if (!worker.name().equals(assigned)) {
      return assign(job, worker);
    }
    return worker.silentSince() == null
        ? new Keep(null)
        : replace(job, assigned, later(worker.silentSince(), start));
  }

  private static AssignmentStep assign(KubeObject job, WorkerState worker) {
    return new Assign(worker.name(), MirrorNames.moves(job));
  }

  /**
   * Returns the Job's worker, which may have another name now; null if it is unknown. The cluster
   * that has the copy counts more than a name: another cluster may have got that.
   */
  private @Nullable WorkerState worker(@Nullable String assigned, @Nullable String recorded) {
    return first(worker -> recorded != null && recorded.equals(worker.cluster()))
        .or(() ->
            first(worker ->
                worker.name().equals(assigned) && (recorded == null || worker.cluster() == null)))
        .orElse(null);
  }

  /** Returns since when a worker is unknown: since another cluster has its name, if one has. */
  private Instant goneSince(@Nullable String assigned) {
    return first(worker -> worker.name().equals(assigned))
        .map(WorkerState::since)
        .map(since -> later(since, start))
        .orElse(start);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isBefore(other) ? other : one;
  }

  private Optional<WorkerState> first(Predicate<WorkerState> wanted) {
    return workers.stream().filter(wanted).findFirst();
  }

  /**
   * Assigns a Job that has no worker.
   *
   * @param isComplete true if it is sure that no worker has a copy
   */
  private AssignmentStep assignNew(KubeObject job, boolean isComplete) {
    boolean isDeleted = job.deletionTimestamp() != null;
    if (isDeleted && !mayHaveCopy(job)) {
      return new Keep(null);
    }
    if (mayHaveCopy(job) && !isComplete) {
      return isDeleted
          ? deletionWaits("not all workers answer, and one of them may have it")
          : replace(job, null, start);
    }
    return choose(job)
        .map(worker -> assign(job, worker))
        .orElseGet(() -> new Refuse(MirrorProblem.noWorker(obstacles(job)), null));
  }

  /**
   * Handles a Job whose worker is away. A Job without a copy loses nothing if it moves at once. One
   * that is being deleted waits for its worker, which has its copy.
   */
  private AssignmentStep replace(KubeObject job, @Nullable String assigned, Instant since) {
    Instant lost = job.deletionTimestamp() == null ? since.plus(options.lostAfter()) : null;
    if (lost == null || mayHaveCopy(job) && now.isBefore(lost)) {
      return isListed(assigned) ? new Keep(lost) : unknown(job, assigned, lost);
    }
    String former = Objects.requireNonNullElse(assigned, "of its copy");
    return choose(job)
        .map(worker ->
            mayHaveCopy(job)
                ? new Move(worker.name(), moved(former, since, worker))
                : assign(job, worker))
        .orElseGet(() -> new Keep(null));
  }

  /** True if a Job may have a copy. One that is recorded may be there without the finalizer. */
  private static boolean mayHaveCopy(KubeObject job) {
    return Mirrored.mayHaveCopy(job)
        || job.annotation(MirrorNames.COPY) != null
        || job.annotation(MirrorNames.WORKER) != null;
  }

  private boolean isListed(@Nullable String worker) {
    return first(each -> each.name().equals(worker)).isPresent();
  }

  private static String moved(String former, Instant since, WorkerState worker) {
    return "the worker %s has been away since %s; the Job starts anew on %s"
        .formatted(
            MirrorProblem.shortened(former), since.truncatedTo(ChronoUnit.SECONDS), worker.name());
  }

  private AssignmentStep unknown(
      KubeObject job, @Nullable String assigned, @Nullable Instant lost) {
    String recorded = job.annotation(MirrorNames.WORKER);
    String worker =
        assigned != null
            ? assigned
            : recorded == null ? "of its copy" : "in the cluster " + recorded;
    return lost == null
        ? deletionWaits(MirrorProblem.restartWith(worker))
        : new Refuse(MirrorProblem.unknownWorker(worker, options.lostAfter()), lost);
  }

  private static AssignmentStep deletionWaits(String why) {
    return new Refuse(MirrorProblem.deletionWaits(why), null);
  }

  private Optional<WorkerState> choose(KubeObject job) {
    Stream<WorkerState> able =
        workers.stream()
            .filter(worker -> worker.isUsable() && worker.selector().test(job.labels()));
    return switch (options.choice()) {
      case IN_ORDER -> able.findFirst();
      case MOST_FREE ->
          able.reduce((one, other) -> other.freePods() > one.freePods() ? other : one);
    };
  }

  private String obstacles(KubeObject job) {
    return workers.stream()
        .map(worker ->
            worker.name()
                + (worker.selector().test(job.labels())
                    ? " cannot be used"
                    : " does not take its labels"))
        .collect(Collectors.joining(", "));
  }
}
