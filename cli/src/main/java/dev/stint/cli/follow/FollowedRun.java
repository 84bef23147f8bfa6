package dev.stint.cli.follow;

import dev.stint.cli.follow.RunEnd.Reason;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.report.FinalJobs;
import dev.stint.cli.report.JobOutcome;
import dev.stint.cli.report.Progress;
import dev.stint.cli.report.ProgressDisplay;
import dev.stint.cli.submit.JobSubmission;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.cli.submit.RunDecision;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.Timers;
import dev.stint.embedded.RandomGenerators;
import dev.stint.jobs.Follower;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.job.after.After;
import dev.stint.model.job.after.AfterProgress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The Jobs of a {@code run}, followed from their submission to the report of their outcome. */
public final class FollowedRun implements AutoCloseable {
  private static final Duration REDRAW = Duration.ofMillis(100);

  private final Console console;
  private final Cluster cluster;
  private final Timers timers;
  private final RunTarget target;
  private final FollowOptions options;
  private final InstantSource clock = InstantSource.system();
  private final RunEnd end = new RunEnd();
  private final FollowedJobs jobs;
  private final RunReport report;
  private final LogAllowance allowance;
  private final List<PodWarnings> warnings = new ArrayList<>();

  /** Refusals to list events; told once there are Jobs. */
  private final List<ClusterException> unwarned = new ArrayList<>();

  private final List<RunLogs> logs = new CopyOnWriteArrayList<>();
  private final List<Follower<?>> followers = new ArrayList<>();

  public FollowedRun(
      Console console,
      Cluster cluster,
      Timers timers,
      RunTarget target,
      List<RequestedJob> requested,
      FollowOptions options) {
    this.console = console;
    this.cluster = cluster;
    this.timers = timers;
    this.target = target;
    this.options = options;
    this.jobs = new FollowedJobs(requested);
    this.allowance = new LogAllowance(timers, clock);
    this.report =
        new RunReport(console, cluster, target, clock, requested.size(), options, allowance);
    end.reason().thenAccept(this::limitLogs);
  }

  /** Whoever has ended the command does not wait for the logs of a cluster for long. */
  private void limitLogs(Reason why) {
    switch (why) {
      case Reason.Finished _ -> {}
      case Reason.Signalled _ -> allowance.giveUp();
      case Reason.TimedOut _, Reason.FailedFast _, Reason.Broken _ -> allowance.giveUpSoon();
    }
  }

  /** Returns the end of the run, which others may bring about. */
  public RunEnd end() {
    return end;
  }

  /** Reads no more logs: a signal came while the end is reported. */
  public void hurry() {
    allowance.giveUp();
    logs.forEach(RunLogs::finishSoon);
  }

  /** Returns the newest states of the Jobs. */
  public FollowedJobs jobs() {
    return jobs;
  }

  /**
   * Begins to count the time in which the Jobs must end. To be called before they are submitted: a
   * submission may wait for pods of earlier Jobs, and those of a node that is lost never end.
   */
  public void startTimeout() {
    Duration timeout = options.timeout();
    if (timeout != null) {
      timers.after(timeout, () -> end.set(new Reason.TimedOut(timeout)));
    }
  }

  /** Takes the Jobs as they were submitted. */
  public void begin(List<JobSubmission.Applied> applied) {
    applied.forEach(job -> jobs.onUpdate(job.job()));
    jobs.finished().thenRun(() -> end.set(new Reason.Finished()));
    if (options.failFast()) {
      jobs.failed().thenAccept(failed -> end.set(new Reason.FailedFast(failed.job())));
    }
  }

  /**
   * Follows the Jobs.
   *
   * @param namespace theirs; null for all namespaces of this machine
   */
  public void follow(@Nullable String namespace) {
    Follower<KubeObject> ofJobs =
        new Follower<>(
            cluster,
            Kind.JOB,
            namespace,
            timers,
            RandomGenerators.unpredictable(),
            job -> jobs.owns(job.ref()) ? job : null,
            jobs);
    followers.add(ofJobs);
    jobs.inOrder().stream()
        .filter(job -> namespace == null || namespace.equals(job.namespace()))
        .forEach(ofJobs::expect);
    ofJobs.start();
    ofJobs
        .failure()
        .thenAccept(why -> end.set(new Reason.Broken(String.valueOf(why.getMessage()))));
  }

  /**
   * Follows the warnings about pods. To be called before the Jobs are submitted: a scheduler or a
   * quota may warn at once, and never again.
   *
   * @param namespace that of the Jobs; null for all namespaces of this machine
   * @throws RunEnd.EndedEarly if the run ends
   */
  public void followWarnings(@Nullable String namespace) {
    PodWarnings ofPods =
        new PodWarnings(
            cluster,
            timers,
            RandomGenerators.unpredictable(),
            namespace,
            jobs::owns,
            jobs::inOrder);
    try {
      Follower<KubeObject> ofEvents = ofPods.start(end);
      warnings.add(ofPods);
      followers.add(ofEvents);
      ofEvents.failure().thenAccept(this::tellUnwarned);
    } catch (ClusterException refused) {
      unwarned.add(refused);
    }
  }

  private void tellUnwarned(ClusterException why) {
    if (!end.reason().isDone()) {
      console.say("warnings about pods are not shown: " + why.getMessage());
    }
  }

  /**
   * Prepares to print the logs of Jobs as they are written, if that is asked for. To be called
   * before the first pod of a resumed Job starts again: the logs of pods that have ended by now are
   * old.
   */
  public void followLogs(List<JobSubmission.Applied> applied) {
    if (options.follow()) {
      applied.stream().filter(job -> job.decision().isStart()).forEach(this::prepareLogs);
    }
  }

  private void prepareLogs(JobSubmission.Applied applied) {
    KubeObject job = applied.job();
    logs.add(
        RunLogs.of(
            console,
            cluster,
            timers,
            target.logs(job),
            job,
            jobs.size() == 1 ? "" : job.name(),
            applied.decision() instanceof RunDecision.Resume));
  }

  /** Tells what becomes of each Job. */
  public void announce(List<JobSubmission.Applied> applied) {
    unwarned.forEach(this::tellUnwarned);
    applied.forEach(each -> {
      KubeObject job = each.job();
      switch (each.decision()) {
        case RunDecision.Resume _ -> console.say(job.name() + ": " + target.resumed(job));
        case RunDecision.Report _ -> console.say(job.name() + ": already finished");
        case RunDecision.Create _, RunDecision.StartAnew _, RunDecision.Continue _
            when each.decision().isStart() ->
            console.say(
                job.name()
                    + ": "
                    + (AfterProgress.isWaiting(job)
                        ? "waits for " + job.annotation(After.ANNOTATION)
                        : target.started(job)));
        default -> {}
      }
    });
  }

  /** Shows logs and progress until the run ends. */
  public Reason await() {
    logs.forEach(RunLogs::start);
    ProgressDisplay display =
        new ProgressDisplay(console, new Progress(jobs.title(), jobs.counts(), clock.instant()));
    try {
      return ProgressDisplay.await(end.reason(), REDRAW, () -> show(display));
    } finally {
      warnings.forEach(each -> each.lastLines().forEach(display::say));
      display.clear();
    }
  }

  private void show(ProgressDisplay display) {
    tellWarnings(display::say);
    tellOutcomes(job -> !endsAll(job), display::say);
    if (!options.follow()) {
      display.show(jobs.counts(), clock.instant());
    }
  }

  private void tellWarnings(Consumer<String> say) {
    warnings.forEach(each -> each.newLines().forEach(say));
  }

  /** Tells the outcomes of Jobs that have ended since the last call. */
  private void tellOutcomes(Predicate<KubeObject> which, Consumer<String> say) {
    jobs.inOrder().stream()
        .filter(which)
        .forEach(job -> JobOutcome.of(job).ifPresent(outcome -> report.tell(job, outcome, say)));
  }

  /** True if a Job's failure ends the run: the others are stopped before its logs are read. */
  private boolean endsAll(KubeObject job) {
    return options.failFast() && JobOutcome.of(job).filter(JobOutcome::hasFailed).isPresent();
  }

  /** Reports all Jobs, which have ended. */
  public void report() {
    logs.forEach(RunLogs::finish);
    tellOutcomes(_ -> true, console::say);
    jobs.deleted().forEach(job -> tell(job, job.name() + ": was deleted before it finished"));
    report.summary().ifPresent(console::say);
    write();
  }

  /**
   * Records that the outcome of all Jobs was reported. Last of all: if the process dies before, the
   * next one reports it again.
   */
  public void markReported() {
    markReported(_ -> true);
  }

  /** A Job that has not ended, and what becomes of it. */
  private record Left(KubeObject job, String words) {}

  /**
   * Reports every Job: those that have ended, and in the given words those that have not. A failed
   * one starts anew with the same command; others resume or are done.
   *
   * @param unfinished does something about a Job that has not ended; called before logs are read
   */
  public void reportEarly(Function<KubeObject, String> unfinished) {
    List<Left> left =
        jobs.unfinished().stream().map(job -> new Left(job, unfinished.apply(job))).toList();
    Set<String> uids = left.stream().map(each -> each.job().uid()).collect(Collectors.toSet());
    tellOutcomes(job -> !uids.contains(job.uid()), console::say);
    left.forEach(each -> tell(each.job(), each.words()));
    logs.forEach(RunLogs::finishSoon);
    write();
    markReported(JobOutcome::hasFailed);
  }

  private void tell(KubeObject job, String words) {
    console.say(words);
    report.add(job, words);
  }

  private void write() {
    FinalJobs.print(jobs.inOrder(), options.output(), console);
    report.write();
  }

  /** Records it unless the report for CI is lost: then the same command writes that. */
  private void markReported(Predicate<JobOutcome> which) {
    if (report.isLost()) {
      return;
    }
    jobs.inOrder().stream()
        .filter(report::hasTold) // Another may have ended since.
        .filter(job -> JobOutcome.of(job).filter(which).isPresent())
        .forEach(report::markReported);
  }

  /** Returns the exit status. A lost report changes that of success only. */
  public int status(Reason why) {
    int status = statusOf(why);
    return status == ExitCode.OK.status() && report.isLost() ? ExitCode.USAGE.status() : status;
  }

  private int statusOf(Reason why) {
    return switch (why) {
      case Reason.Finished _ -> (hasLoss() ? ExitCode.FAILED : ExitCode.OK).status();
      case Reason.Signalled(String signal) -> ExitCode.of(signal).status();
      case Reason.TimedOut _ -> (report.hasFailed() ? ExitCode.FAILED : ExitCode.TIMEOUT).status();
      case Reason.FailedFast _ -> ExitCode.FAILED.status();
      case Reason.Broken _ -> ExitCode.USAGE.status();
    };
  }

  private boolean hasLoss() {
    return report.hasFailed() || !jobs.deleted().isEmpty();
  }

  @Override
  public void close() {
    followers.forEach(Follower::close);
  }
}
