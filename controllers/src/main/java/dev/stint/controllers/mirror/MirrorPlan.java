package dev.stint.controllers.mirror;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.controllers.mirror.MirrorStep.AddFinalizer;
import dev.stint.controllers.mirror.MirrorStep.Change;
import dev.stint.controllers.mirror.MirrorStep.Create;
import dev.stint.controllers.mirror.MirrorStep.Inspect;
import dev.stint.controllers.mirror.MirrorStep.Orphan;
import dev.stint.controllers.mirror.MirrorStep.Remove;
import dev.stint.controllers.mirror.MirrorStep.RemoveFinalizer;
import dev.stint.controllers.mirror.MirrorStep.Report;
import dev.stint.controllers.mirror.MirrorStep.Rest;
import dev.stint.controllers.mirror.MirrorStep.StatusEvent;
import dev.stint.controllers.mirror.MirrorView.Evidence;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.field.FieldError;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.mirror.Mirrored;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides the next step for a Job that is handed to another cluster. The caller carries out one
 * step, records its result, and asks again.
 *
 * <p>The order of steps prevents leaks, wherever it is interrupted: a finalizer holds the manager's
 * Job before there is a copy, the Job records the copy once that exists, and the finalizer is
 * removed once the copy is gone. Only a recorded copy can be missing, so a copy is never made
 * twice.
 */
final class MirrorPlan {
  private static final MirrorStep REST = new Rest();

  private final MirrorView view;

  private MirrorPlan(MirrorView view) {
    this.view = view;
  }

  /** Returns the next step. */
  static MirrorStep next(MirrorView view) {
    MirrorPlan plan = new MirrorPlan(view);
    KubeObject job = view.job();
    if (job == null || !isClaimed(view.ownership().claim(), job)) {
      return plan.withoutJob();
    }
    return view.isAssigned(job) ? plan.withJob(job) : plan.withJobOfAnotherWorker(job);
  }

  /** True if a Job of the manager is one to mirror. */
  static boolean isClaimed(String claim, KubeObject job) {
    return claim.equals(Json.text(job.spec(), "managedBy"));
  }

  /** True if there may be something to do for a claimed Job of the manager. */
  static boolean isOpen(KubeObject job) {
    return job.deletionTimestamp() != null || !MirrorStatus.isFinished(job);
  }

  private MirrorStep withoutJob() {
    KubeObject copy = view.copy();
    return copy != null && view.ownership().hasMade(copy) && view.problem() == null
        ? remove(copy, Propagation.BACKGROUND)
        : REST;
  }

  /**
   * Removes the copy of an earlier Job of the name, and that of a Job that has moved since or has
   * another copy.
   */
  private MirrorStep withJobOfAnotherWorker(KubeObject job) {
    KubeObject copy = view.copy();
    String known = job.annotation(MirrorNames.COPY);
    boolean isCurrent =
        copy != null
            && (known == null || known.equals(copy.uid()))
            && job.uid().equals(copy.label(MirrorNames.OF))
            && MirrorNames.moves(copy) >= MirrorNames.moves(job);
    if (isCurrent) {
      return REST;
    }
    return copy != null
            && known != null
            && !known.equals(copy.uid())
            && isMade(copy, job)
            && view.problem() == null
        ? remove(copy, Propagation.BACKGROUND)
        : withoutJob();
  }

  private MirrorStep withJob(KubeObject job) {
    MirrorProblem problem = view.problem();
    if (!isOpen(job)) {
      return REST;
    }
    if (problem != null && problem.hidesWorker()) {
      return reportAway(job, problem);
    }
    return job.deletionTimestamp() == null ? keepCopy(job) : releaseJob(job);
  }

  /** Handles a Job whose worker cannot be asked. */
  private MirrorStep reportAway(KubeObject job, MirrorProblem problem) {
    if (job.deletionTimestamp() == null) {
      return reportProblem(job, problem);
    }
    return Mirrored.mayHaveCopy(job)
        ? reportProblem(job, MirrorProblem.deletionWaits(problem.cause(view.title())))
        : REST;
  }

  private MirrorStep keepCopy(KubeObject job) {
    KubeObject copy = view.copy();
    String known = job.annotation(MirrorNames.COPY);
    if (copy != null && copy.uid().equals(known) && isUntied(copy, job)) {
      return tieCopy(job, copy);
    }
    if (copy != null && view.ownership().hasMade(copy) && !isRecordedCopy(copy, job, known)) {
      return remove(copy, Propagation.BACKGROUND);
    }
    boolean mine = copy != null && view.ownership().isCopyOf(copy, job);
    if (known != null && !mine) {
      return reportLostCopy(job, known);
    }
    if (copy == null) {
      return makeCopy(job);
    }
    if (!mine) {
      return reportProblem(job, MirrorProblem.nameTaken(copy.uid().equals(job.uid())));
    }
    if (!Mirrored.mayHaveCopy(job)) {
      return new AddFinalizer(job); // Somebody has removed it.
    }
    return known == null
        ? new MirrorStep.RecordCopy(job, copy.uid(), view.worker())
        : updateCopy(job, copy);
  }

  /** True if the recorded copy has lost its ties to the Job. */
  private boolean isUntied(KubeObject copy, KubeObject job) {
    return !view.ownership().hasMade(copy)
        || isKnownCopyOf(job) && !view.ownership().isCopyOf(copy, job);
  }

  /** True if this mirror has seen the copy while it had its ties to the Job. */
  private boolean isKnownCopyOf(KubeObject job) {
    MadeCopy made = view.made();
    return made != null && made.uid().equals(job.annotation(MirrorNames.COPY)) && made.isOf(job);
  }

  /** True if this mirror has seen it tied to the Job, maybe before the Job moved. */
  private boolean isMade(@Nullable KubeObject copy, KubeObject job) {
    MadeCopy made = view.made();
    return made != null
        && copy != null
        && made.uid().equals(copy.uid())
        && made.of().equals(job.uid());
  }

  /**
   * Gives a copy its ties back if this mirror has seen them. That the Job records its uid proves
   * nothing: any user of the manager can write that.
   */
  private MirrorStep tieCopy(KubeObject job, KubeObject copy) {
    if (!isKnownCopyOf(job)) {
      return reportProblem(job, MirrorProblem.copyUntied(job, view.ownership()));
    }
    return view.problem() == null
        ? new Change(MirrorCopy.tied(copy, job, view.ownership()))
        : updateCopy(job, copy);
  }

  /** True if it is a copy of this very Job, and the recorded copy if there is one. */
  private boolean isRecordedCopy(KubeObject copy, KubeObject job, @Nullable String known) {
    return view.ownership().isCopyOf(copy, job) && (known == null || known.equals(copy.uid()));
  }

  private MirrorStep makeCopy(KubeObject job) {
    MirrorProblem problem = view.problem();
    MirrorStatus statuses = new MirrorStatus(job, view.gates());
    if (MirrorNames.moves(job) > 0 && statuses.isAnnounced()) {
      return report(statuses, statuses.ofAnnounced(view.now()), MirrorProblem.workerLost());
    }
    if (!Mirrored.mayHaveCopy(job)) {
      return new AddFinalizer(job);
    }
    return problem == null
        ? new Create(MirrorCopy.of(job, view.ownership()))
        : report(statuses, statuses.ofNoCopy(), problem);
  }

  private MirrorStep updateCopy(KubeObject job, KubeObject copy) {
    if (view.problem() == null && MirrorCopy.isOutdated(job, copy)) {
      KubeObject updated = MirrorCopy.updated(job, copy);
      if (!updated.tree().equals(copy.tree())) {
        return new Change(updated);
      }
    }
    Evidence evidence = view.evidence();
    boolean counted = MirrorStatus.hasPodsAfterItsEnd(copy);
    boolean podsEnded = counted && evidence != null && evidence.podsLeft() == 0;
    MirrorStatus statuses = new MirrorStatus(job, view.gates());
    MirrorStep told =
        reportCopy(job, statuses, podsEnded ? statuses.withoutPodsOf(copy) : statuses.of(copy));
    // The announcement of the end does not wait for a worker that lists no pods.
    return counted && evidence == null && told.equals(REST) ? new MirrorStep.CountPods(copy) : told;
  }

  private MirrorStep reportCopy(KubeObject job, MirrorStatus statuses, JobStatus wanted) {
    List<FieldError> faults = statuses.faults(wanted);
    if (faults.isEmpty()) {
      return report(statuses, wanted, view.problem());
    }
    String why = faults.getFirst().path() + ": " + faults.getFirst().message();
    return reportProblem(job, new MirrorProblem(MirrorProblem.Reason.StatusRefused, why));
  }

  /** Handles a copy that was deleted. It is not made again, as nobody knows what it has done. */
  private MirrorStep reportLostCopy(KubeObject job, String known) {
    String recorded = Objects.requireNonNullElse(job.annotation(MirrorNames.WORKER), "");
    Evidence evidence = view.evidence();
    if (evidence == null) {
      return new Inspect(job, known, recorded);
    }
    if (!evidence.worker().equals(recorded)) {
      return reportProblem(job, MirrorProblem.otherWorker(recorded, evidence.worker()));
    }
    MirrorStatus statuses = new MirrorStatus(job, view.gates());
    JobStatus wanted = statuses.ofLostCopy(evidence.podsLeft(), view.now());
    return report(statuses, wanted, MirrorProblem.copyDeleted());
  }

  private MirrorStep releaseJob(KubeObject job) {
    KubeObject copy = view.copy();
    boolean isKnown = isMade(copy, job) && deletion(job) != Propagation.ORPHAN;
    if (copy != null && (isKnown || view.ownership().hasMade(copy))) {
      return releaseJob(job, copy);
    }
    if (!Mirrored.mayHaveCopy(job)) {
      return REST;
    }
    String known = job.annotation(MirrorNames.COPY);
    String recorded = Objects.requireNonNullElse(job.annotation(MirrorNames.WORKER), "");
    if (known != null && !recorded.equals(view.worker())) {
      String why = MirrorProblem.otherWorker(recorded, view.worker()).message();
      return reportProblem(job, MirrorProblem.deletionWaits(why));
    }
    return new RemoveFinalizer(job);
  }

  /**
   * Handles the manager's deletion: in the foreground, the Job waits until the copy and its pods
   * are gone.
   */
  private MirrorStep releaseJob(KubeObject job, KubeObject copy) {
    Propagation how = deletion(job);
    if (how == Propagation.ORPHAN && view.ownership().isCopyOf(copy, job)) {
      return new Orphan(MirrorCopy.orphaned(copy));
    }
    if (copy.deletionTimestamp() == null) {
      return remove(copy, how);
    }
    return how == Propagation.FOREGROUND || !Mirrored.mayHaveCopy(job)
        ? REST
        : new RemoveFinalizer(job);
  }

  private Propagation deletion(KubeObject job) {
    List<String> finalizers = job.finalizers();
    if (finalizers.contains(Names.ORPHAN_FINALIZER)) {
      return Propagation.ORPHAN;
    }
    return finalizers.contains(Names.FOREGROUND_FINALIZER)
        ? Propagation.FOREGROUND
        : view.deletion();
  }

  /** Removes a copy. Before that of a Job that was not found, the manager has to confirm this. */
  private MirrorStep remove(KubeObject copy, Propagation how) {
    if (copy.deletionTimestamp() != null) {
      return REST;
    }
    KubeObject job = view.job();
    boolean isOfJob = job != null && job.uid().equals(copy.label(MirrorNames.OF));
    if (!isOfJob && !view.isManagers()) {
      return new MirrorStep.IdentifyManager();
    }
    return new Remove(copy, how == Propagation.ORPHAN ? Propagation.BACKGROUND : how);
  }

  private MirrorStep reportProblem(KubeObject job, MirrorProblem problem) {
    MirrorStatus statuses = new MirrorStatus(job, view.gates());
    return report(statuses, statuses.stored(), problem);
  }

  private MirrorStep report(
      MirrorStatus statuses, JobStatus status, @Nullable MirrorProblem problem) {
    KubeObject copy = view.copy();
    String well =
        "runs as Job %s on %s; stint logs %s -n %s --worker %s=FILE reads its logs"
            .formatted(
                copy == null ? "" : copy.uid(),
                view.title(),
                statuses.name(),
                statuses.namespace(),
                Objects.requireNonNullElse(view.assignee(), "worker"));
    JobStatus wanted = statuses.withCondition(status, problem, well, view.now());
    return wanted.equals(statuses.stored())
        ? REST
        : new Report(statuses.with(wanted), events(statuses.stored(), wanted));
  }

  /** Returns the events for a mirror that starts, gets a problem, or recovers. */
  private static List<StatusEvent> events(JobStatus before, JobStatus after) {
    List<StatusEvent> news = new ArrayList<>();
    JobCondition now = after.condition(MirrorNames.CONDITION).orElseThrow();
    String reason = before.condition(MirrorNames.CONDITION).map(JobCondition::reason).orElse("");
    if (!now.reason().equals(reason)) {
      news.add(new StatusEvent(!now.isTrue(), now.reason(), now.message()));
    }
    return news;
  }
}
