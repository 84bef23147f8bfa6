package dev.stint.controllers.mirror;

import dev.stint.controllers.mirror.AssignmentStep.Assign;
import dev.stint.controllers.mirror.AssignmentStep.Keep;
import dev.stint.controllers.mirror.AssignmentStep.Move;
import dev.stint.controllers.mirror.AssignmentStep.Refuse;
import dev.stint.model.KubeObject;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which worker runs a Job, of those that can be used and take it. A Job stays with its
 * worker until that is lost, that is, cannot be used for a long time, and another one can take the
 * Job.
 *
 * @param workers in the order of preference
 * @param start since when the workers are followed: a worker that is not among them is away since
 *     then
 */
record WorkerAssignment(
    List<WorkerState> workers, AssignmentOptions options, Instant start, Instant now) {

  /** Returns the next step for a Job that is to be mirrored. */
  AssignmentStep next(KubeObject job) {
    String assigned = job.annotation(MirrorNames.ASSIGNED);
    String recorded = job.annotation(MirrorNames.WORKER);
    if (assigned == null && recorded == null) {
      return assignNew(job);
    }
    WorkerState worker = worker(assigned, recorded);
    if (worker == null) {
      return replace(job, assigned, start);
    }
    if (!worker.name().equals(assigned)) {
      return new Assign(worker.name());
    }
    return worker.awaySince() == null ? new Keep(null) : replace(job, assigned, worker.awaySince());
  }

  /** Returns the Job's worker, which may have another name now; null if it is unknown. */
  private @Nullable WorkerState worker(@Nullable String assigned, @Nullable String recorded) {
    return first(worker -> worker.name().equals(assigned))
        .or(() -> first(worker -> recorded != null && recorded.equals(worker.cluster())))
        .orElse(null);
  }

  private Optional<WorkerState> first(Predicate<WorkerState> wanted) {
    return workers.stream().filter(wanted).findFirst();
  }

  private AssignmentStep assignNew(KubeObject job) {
    if (job.deletionTimestamp() != null && !mayHaveCopy(job)) {
      return new Keep(null);
    }
    return choose(job, null)
        .<AssignmentStep>map(worker -> new Assign(worker.name()))
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
    String former = Objects.requireNonNullElse(assigned, "");
    return choose(job, assigned)
        .<AssignmentStep>map(worker -> new Move(worker.name(), moved(former, since, worker)))
        .orElseGet(() -> new Keep(null));
  }

  private boolean isListed(@Nullable String worker) {
    return first(each -> each.name().equals(worker)).isPresent();
  }

  private static String moved(String former, Instant since, WorkerState worker) {
    return "the worker %s has been away since %s; the Job starts anew on %s"
        .formatted(former, since, worker.name());
  }

  private static AssignmentStep unknown(
      KubeObject job, @Nullable String assigned, @Nullable Instant lost) {
    String worker =
        assigned == null ? "in the cluster " + job.annotation(MirrorNames.WORKER) : assigned;
    return new Refuse(MirrorProblem.unknownWorker(worker, lost), lost);
  }

  private Optional<WorkerState> choose(KubeObject job, @Nullable String not) {
    Stream<WorkerState> able =
        workers.stream()
            .filter(worker ->
                worker.awaySince() == null
                    && !worker.name().equals(not)
                    && worker.selector().test(job.labels()));
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

  /** True if its worker may have made a copy: the finalizer precedes that. */
  private static boolean mayHaveCopy(KubeObject job) {
    return job.finalizers().contains(MirrorNames.FINALIZER);
  }
}
