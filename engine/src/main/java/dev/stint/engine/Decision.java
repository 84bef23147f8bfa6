package dev.stint.engine;

import dev.stint.engine.Plan.Urgency;
import dev.stint.engine.pod.PodView;
import dev.stint.engine.pod.RestartsPerIndex;
import dev.stint.engine.policy.ActiveDeadline;
import dev.stint.engine.policy.BackoffLimit;
import dev.stint.engine.policy.EvictedPods;
import dev.stint.engine.policy.FailJob;
import dev.stint.engine.policy.Lingering;
import dev.stint.engine.policy.PolicyInput;
import dev.stint.engine.policy.Suspension;
import dev.stint.engine.policy.Verdict;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.JobStatus.Uncounted;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides the next plan for one Job: the pure heart of the controller.
 *
 * <p>The status of a plan contains observations only: pods that the plan creates are counted once
 * they exist. So a status is always consistent with itself, also during a back-off.
 */
public final class Decision {
  private final JobView job;
  private final JobSpec spec;
  private final Ledger ledger;
  private final JobStatus stored;
  private final FeatureGates gates;
  private final EngineOptions options;
  private final Instant now;
  private final List<Plan.Event> events = new ArrayList<>();
  private final List<JobCondition> conditions;

  private Decision(
      JobView job,
      Ledger ledger,
      JobStatus stored,
      FeatureGates gates,
      EngineOptions options,
      Instant now) {
    this.job = job;
    this.spec = job.spec();
    this.ledger = ledger;
    this.stored = stored;
    this.gates = gates;
    this.options = options;
    this.now = now;
    this.conditions = new ArrayList<>(stored.conditions());
  }

  /**
   * Returns the reason of a success as metrics count it: one that a Job chose itself is that of its
   * success policy.
   */
  public static String countedReason(String reason) {
    return Verdict.countedReason(reason);
  }

  /**
   * Returns the plan for a Job.
   *
   * @param job a valid Job of this controller, with its defaults
   * @param ledger all pods of the Job, as recent as this controller's own last writes
   * @param stored the Job's status as it is in the API
   */
  public static Plan decide(
      JobView job,
      Ledger ledger,
      JobStatus stored,
      FeatureGates gates,
      EngineOptions options,
      Instant now) {
    Decision decision = new Decision(job, ledger, stored, gates, options, now);
    return stored.isFinished() || job.deleting() ? decision.releasePods() : decision.next();
  }

  /** Removes the finalizer from the pods of a Job that has ended or is being deleted. */
  private Plan releasePods() {
    List<PodView> held = ledger.tracked().stream().limit(options.maxUncountedPods()).toList();
    return new Plan(List.of(), null, held, List.of(), List.of(), List.of(), null, Urgency.NOW);
  }

  private Plan next() {
    Instant startTime = startTime();
    boolean perIndex = PolicyInput.isPerIndex(spec, gates);
    Tracking round =
        LegacyTracking.appliesTo(spec, stored, gates)
            ? LegacyTracking.count(spec, ledger, stored, options)
            : Accounting.round(spec, perIndex, ledger, stored, options);
    if (!round.usesFinalizers() && !stored.isTrue(JobCondition.LEGACY_TRACKING)) {
      setCondition(LegacyTracking.mark(now));
    }
    PolicyInput input = input(round, startTime);
    return switch (Verdict.of(stored, input)) {
      case Verdict.Interim interim -> lingerOrFinish(interim, input, round);
      case Verdict.Undecided undecided when spec.suspend() -> pause(round);
      case Verdict.Undecided undecided -> run(input, round);
      case Verdict.Final ended -> releasePods();
    };
  }

  private PolicyInput input(Tracking round, @Nullable Instant startTime) {
    return new PolicyInput(
        spec,
        job.options(),
        gates,
        ledger.active().size(),
        round.allSucceeded(),
        round.allFailed(),
        ledger.restarts(),
        round.completedIndexes(),
        round.allFailedIndexes(),
        ledger.failJobMatch(),
        startTime,
        now);
  }

  /**
   * Returns the start time. It is set when the Job is first seen unsuspended, and set again when
   * the Job is resumed. Validation forbids changing a start time, so a suspended Job has none.
   */
  private @Nullable Instant startTime() {
    boolean starts = !spec.suspend() && stored.startTime() == null;
    return starts ? now.truncatedTo(ChronoUnit.SECONDS) : stored.startTime();
  }

  /**
   * Updates the Suspended condition after a suspension or resumption. A Job that ends has neither.
   */
  private void updateSuspended() {
    Suspension.change(spec.suspend(), stored, now).ifPresent(this::changeSuspension);
  }

  private void changeSuspension(JobCondition change) {
    setCondition(change);
    String reason = change.isTrue() ? "Suspended" : "Resumed";
    events.add(new Plan.Event(false, reason, change.message()));
  }

  private void reportEvicted(Tracking round) {
    if (!round.evicted().isEmpty()) {
      events.add(new Plan.Event(false, EvictedPods.REASON, EvictedPods.message(round.evicted())));
    }
  }

  private Plan run(PolicyInput input, Tracking round) {
    updateSuspended();
    reportEvicted(round);
    PodCreation creation =
        PodCreation.of(
            input, ledger, options, round.allSucceededIndexes(), job.options().startable());
    LateStarts late = lateStarts(creation);
    List<PodView> overdue = overdue(creation, late, input);
    return new Plan(
        planned(creation, round),
        changed(status(round, input.startTime(), null)),
        List.copyOf(round.untrack()),
        with(creation.surplus(), unkept(round, false)),
        overdue,
        events,
        earliest(earliest(creation.again(), late.next()), ActiveDeadline.deadline(input)),
        urgency(creation, overdue, round));
  }

  private List<PodPlan> planned(PodCreation creation, Tracking round) {
    return creation.create().stream()
        .map(pod -> pod.tracked(round.usesFinalizers()).with(ledger.memory(pod.index())))
        .toList();
  }

  private List<PodView> unkept(Tracking round, boolean ends) {
    return UnkeptPods.of(job, ledger, round, ends, options.maxPodChangesPerSync());
  }

  private static List<PodView> with(Collection<PodView> some, List<PodView> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  /** Returns the pods that did not start in time. Surplus pods are released first. */
  private LateStarts lateStarts(PodCreation creation) {
    return LateStarts.among(
        creation.surplus().isEmpty() ? ledger.active() : List.of(),
        job.options().startupDeadline(),
        options.maxPodChangesPerSync(),
        now);
  }

  /** Returns the pods to end, since they are late or restart too often. */
  private List<PodView> overdue(PodCreation creation, LateStarts late, PolicyInput input) {
    if (!job.options().restartsPerIndex() || !input.isPerIndex() || !creation.surplus().isEmpty()) {
      return late.overdue();
    }
    Set<String> ended = late.overdue().stream().map(PodView::uid).collect(Collectors.toSet());
    List<PodView> restarted =
        ledger.active().stream()
            .filter(pod -> !ended.contains(pod.uid()))
            .filter(
                pod -> RestartsPerIndex.isExceeded(spec.backoffLimitPerIndex(), pod, job.options()))
            .limit(options.maxPodChangesPerSync())
            .toList();
    return with(late.overdue(), restarted);
  }

  private Urgency urgency(PodCreation creation, List<PodView> overdue, Tracking round) {
    if (!events.isEmpty()
        || stored.startTime() == null
        || !creation.surplus().isEmpty()
        || !overdue.isEmpty()) {
      return Urgency.NOW;
    }
    boolean succeeds =
        round.succeededCount() != stored.succeeded() || listsSuccesses(round.uncounted());
    return creation.waitsForBackoff() && !succeeds ? Urgency.LATER : Urgency.COUNTS;
  }

  private static boolean listsSuccesses(@Nullable Uncounted uncounted) {
    return uncounted != null && !uncounted.succeeded().isEmpty();
  }

  private Plan pause(Tracking round) {
    updateSuspended();
    reportEvicted(round);
    List<PodView> active = ledger.active().stream().limit(options.maxPodChangesPerSync()).toList();
    JobStatus status = changed(status(round, null, null));
    return new Plan(
        List.of(),
        status,
        List.copyOf(round.untrack()),
        with(active, unkept(round, false)),
        List.of(),
        events,
        null,
        isUntouched() ? Urgency.LATER : Urgency.NOW);
  }

  /**
   * True if nothing has happened to the Job yet. Its first status may then be written a moment
   * later. Until then its author can change the template with the resource version of the creation.
   */
  private boolean isUntouched() {
    return stored.conditions().isEmpty() && stored.startTime() == null && ledger.size() == 0;
  }

  /** Keeps the pods of a succeeded Job running if it asks for that (decision 92), or ends it. */
  private Plan lingerOrFinish(Verdict.Interim verdict, PolicyInput input, Tracking round) {
    boolean announced =
        stored.isTrue(JobCondition.SUCCESS_CRITERIA_MET) || announces(verdict, input, round);
    if (!announced || !Lingering.applies(verdict, stored, input) || !goesOn(input)) {
      return finish(verdict, input, round);
    }
    Optional<JobCondition> end = Lingering.end(input);
    if (end.isEmpty()) {
      return linger(verdict, input, round);
    }
    setCondition(end.get());
    events.add(new Plan.Event(false, "LingeringEnded", end.get().message()));
    return finish(verdict, input, round);
  }

  private boolean goesOn(PolicyInput input) {
    return !ledger.active().isEmpty()
        || Lingering.recreates(input)
            && (ledger.terminating() > 0 || PodCreation.lacksReplacements(input, ledger));
  }

  private Plan linger(Verdict.Interim verdict, PolicyInput input, Tracking round) {
    if (!stored.isTrue(verdict.type())) {
      setCondition(condition(verdict.type(), verdict));
      events.add(new Plan.Event(false, "Lingering", "Job has succeeded; its remaining pods go on"));
    }
    reportEvicted(round);
    PodCreation creation =
        Lingering.recreates(input)
            ? PodCreation.replacing(input, ledger, options)
            : PodCreation.NONE;
    LateStarts late = lateStarts(creation);
    return new Plan(
        planned(creation, round),
        changed(status(round, input.startTime(), null)),
        List.copyOf(round.untrack()),
        unkept(round, false),
        Lingering.recreates(input) ? overdue(creation, late, input) : late.overdue(),
        events,
        earliest(earliest(creation.again(), late.next()), ActiveDeadline.deadline(input)),
        Urgency.NOW);
  }

  /**
   * Stops the remaining pods. Ends the Job once the interim condition is stored and every pod has
   * stopped and is counted (KEP-4368, Terminating pods and terminal Job conditions).
   */
  private Plan finish(Verdict.Interim verdict, PolicyInput input, Tracking round) {
    round.releaseAll(verdict.isSuccess());
    reportEvicted(round);
    List<PodView> unkept = unkept(round, true);
    Instant started = input.startTime();
    boolean starts = started == null && !endsWithoutStart(verdict);
    Instant startTime = starts ? now.truncatedTo(ChronoUnit.SECONDS) : started;
    Instant completionTime = null;
    if (announces(verdict, input, round) && !stored.isTrue(verdict.type())) {
      setCondition(condition(verdict.type(), verdict));
    } else if (round.isSettled()
        && unkept.isEmpty()
        && !(waitsForPods() && ledger.terminating() > 0)) {
      setCondition(condition(verdict.finalType(), verdict));
      completionTime = verdict.isSuccess() ? completionTime(startTime) : null;
      events.add(
          verdict.isSuccess()
              ? new Plan.Event(false, "Completed", "Job completed")
              : new Plan.Event(true, verdict.reason(), verdict.message()));
    }
    return new Plan(
        List.of(),
        changed(status(round, startTime, completionTime)),
        List.copyOf(round.untrack()),
        with(round.release(), unkept),
        List.of(),
        events,
        null,
        Urgency.NOW);
  }

  /** Returns the time; or that of the start if the clock was set back since. */
  private Instant completionTime(@Nullable Instant startTime) {
    Instant seconds = now.truncatedTo(ChronoUnit.SECONDS);
    return startTime != null && startTime.isAfter(seconds) ? startTime : seconds;
  }

  /**
   * True if the Job ends though it never started: it is suspended, and needs no completions. Any
   * other Job that ends needs a start time.
   */
  private boolean endsWithoutStart(Verdict.Interim verdict) {
    Integer completions = spec.completions();
    return verdict.isSuccess() && spec.suspend() && completions != null && completions == 0;
  }

  /**
   * True if a Job ends only when its pods have stopped. With both gates off it ends when they are
   * counted, as before (KEP-4368, Terminating pods and terminal Job conditions).
   */
  private boolean waitsForPods() {
    return gates.has(Gate.JobManagedBy) || gates.has(Gate.JobPodReplacementPolicy);
  }

  /**
   * True if an interim condition announces the outcome while pods still end. If the end is not
   * delayed, only two outcomes are announced: a success policy's, and those that only the pods
   * show, since the pods are released first.
   */
  private boolean announces(Verdict.Interim verdict, PolicyInput input, Tracking round) {
    if (waitsForPods()) {
      return true;
    }
    return verdict.isSuccess()
        ? spec.successPolicy() != null && gates.has(Gate.JobSuccessPolicy)
        : !round.usesFinalizers()
            || FailJob.isReason(verdict.reason())
            || verdict.reason().equals(BackoffLimit.REASON)
                && !BackoffLimit.isExceededByPods(input);
  }

  private JobCondition condition(String type, Verdict.Interim verdict) {
    return JobCondition.of(type, verdict.reason(), verdict.message(), now);
  }

  private void setCondition(JobCondition condition) {
    conditions.removeIf(existing -> existing.type().equals(condition.type()));
    conditions.add(condition);
  }

  private JobStatus status(
      Tracking round, @Nullable Instant startTime, @Nullable Instant completionTime) {
    return new JobStatus(
        conditions,
        startTime,
        completionTime,
        ledger.active().size(),
        ledger.ready(),
        gates.has(Gate.JobPodReplacementPolicy) ? ledger.terminating() : null,
        round.succeededCount(),
        round.failedCount(),
        spec.isIndexed() ? round.recordedIndexes() : IndexSet.EMPTY,
        round.failedIndexes(),
        round.uncounted());
  }

  private @Nullable JobStatus changed(JobStatus status) {
    return status.equals(stored) ? null : status;
  }

  private static @Nullable Instant earliest(@Nullable Instant one, @Nullable Instant other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.isBefore(other) ? one : other;
  }

  /** Returns the Job, for messages. */
  @Override
  public String toString() {
    return job.namespace() + "/" + job.name();
  }
}
