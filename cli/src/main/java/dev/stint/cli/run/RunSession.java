package dev.stint.cli.run;

import dev.stint.cli.follow.PodWarnings;
import dev.stint.cli.follow.RunLogs;
import dev.stint.cli.follow.RunReport;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.OutputFormat;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.InterruptSignals;
import dev.stint.cli.plane.Signals;
import dev.stint.cli.report.FinalJobs;
import dev.stint.cli.report.JobOutcome;
import dev.stint.cli.report.Progress;
import dev.stint.cli.report.ProgressDisplay;
import dev.stint.cli.share.MachineOptions;
import dev.stint.cli.share.SharedDirectory;
import dev.stint.cli.share.Workplace;
import dev.stint.cli.submit.ExistingJobs;
import dev.stint.cli.submit.JobSubmission;
import dev.stint.cli.submit.RequestedInput;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.cli.submit.RunDecision;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.embedded.RandomGenerators;
import dev.stint.embedded.ThreadTimers;
import dev.stint.embedded.share.JobClaim;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.Follower;
import dev.stint.jobs.JobCounts;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One {@code run}: submits the given Jobs where they are worked on, follows them, and reports their
 * outcome.
 */
public final class RunSession implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunSession.class);
  private static final Duration REDRAW = Duration.ofMillis(100);

  /**
   * The options of a run.
   *
   * @param machine the options of this machine, if this command is the one that runs pods
   * @param inputs config maps and secrets that the Jobs may name
   */
  record Options(
      MachineOptions machine,
      @Nullable Duration timeout,
      ExistingJobs existing,
      List<RequestedInput> inputs,
      OutputFormat output,
      Reporting reporting) {}

  /**
   * The reports while Jobs run and at their end.
   *
   * @param follow true to print the logs as they are written
   * @param failFast true to stop all Jobs as soon as one has failed
   * @param junit the file for a report in JUnit's format; null for none
   */
  public record Reporting(boolean follow, boolean failFast, @Nullable Path junit) {
    static final Reporting NONE = new Reporting(false, false, null);
  }

  /** The reason why the session ends. */
  private sealed interface End {
    /** Every Job has ended. */
    record Finished() implements End {}

    /** A signal came. */
    record Signalled(int status) implements End {}

    record TimedOut(Duration timeout) implements End {}

    /** A Job has failed, and {@code --fail-fast} is set. */
    record FailedFast(String job) implements End {}

    /** Nothing can work on the Jobs any more. */
    record Broken(String why) implements End {}
  }

  private final Console console;
  private final Options options;
  private final List<RequestedJob> requested;
  private final Workplace place;
  private final Cluster cluster;
  private final ThreadTimers timers = new ThreadTimers();
  private final InstantSource clock = InstantSource.system();
  private final PodWarnings warnings;
  private final CompletableFuture<End> end = new CompletableFuture<>();
  private final Set<String> wanted;
  private final Set<String> ended = ConcurrentHashMap.newKeySet();
  private final Map<String, KubeObject> jobs = new ConcurrentHashMap<>();
  private final Set<String> deleted = ConcurrentHashMap.newKeySet();
  private final JobsInterruption interruption;
  private final ClaimedSubmission submission;
  private final RunReport report;
  private final InterruptSignals signals;
  private final List<RunLogs> followed = new ArrayList<>();
  private boolean submitted;

  private RunSession(
      Console console, Options options, List<RequestedJob> requested, Workplace place) {
    this.console = console;
    this.options = options;
    this.requested = requested;
    this.wanted = requested.stream().map(RunSession::key).collect(Collectors.toSet());
    this.place = place;
    this.cluster = place.cluster();
    this.report =
        new RunReport(
            console,
            cluster,
            logs(),
            options.machine().runtime(),
            clock,
            requested.size(),
            options.reporting().junit());
    this.signals = new InterruptSignals(clock, console.terminal());
    end.thenRun(signals::onStop);
    this.interruption = new JobsInterruption(cluster);
    this.submission =
        new ClaimedSubmission(console, options, place, timers, clock, interruption, end);
    this.warnings =
        new PodWarnings(cluster, timers, RandomGenerators.unpredictable(), pod -> isOfOurs(pod));
  }

  /**
   * Opens the data directory, or joins the command that has it open.
   *
   * @throws UserException if neither is possible
   */
  static RunSession open(Console console, Options options, List<RequestedJob> requested) {
    return new RunSession(
        console, options, requested, SharedDirectory.open(console, options.machine()));
  }

  /** Runs to the end and returns the exit status. */
  int run() {
    Signals.on("INT", () -> onSignal("INT", ExitCode.INTERRUPTED.status()));
    Signals.on("TERM", () -> onSignal("TERM", 128 + 15));
    place.failure().thenAccept(this::onFailure);
    List<JobSubmission.Applied> applied;
    try {
      applied = submission.submit(requested);
    } catch (ClaimedSubmission.EndedEarly ended) {
      LOG.debug("The command ends before all Jobs are submitted", ended);
      return close(end.join());
    }
    submitted = true;
    applied.forEach(job -> onJob(job.job()));
    follow();
    warnings.start();
    if (options.reporting().follow()) {
      applied.forEach(this::prepareLogs);
    }
    place.start();
    applied.forEach(this::announce);
    followed.forEach(RunLogs::start);
    Duration timeout = options.timeout();
    if (timeout != null) {
      timers.after(timeout, () -> end.complete(new End.TimedOut(timeout)));
    }
    return close(await(applied));
  }

  private void onFailure(String why) {
    end.complete(new End.Broken(why));
    interruption.giveUp();
  }

  private void prepareLogs(JobSubmission.Applied job) {
    if (job.decision().isStart()) {
      String prefix = requested.size() == 1 ? "" : job.requested().name();
      followed.add(RunLogs.of(console, cluster, timers, logs(), job.job(), prefix));
    }
  }

  private void onSignal(String signal, int status) {
    if (!end.complete(new End.Signalled(status))
        && !(end.join() instanceof End.Finished)
        && signals.isRepeated(signal)) {
      if (!interruption.endNow()) {
        place.interruptNow();
      }
    }
  }

  /** Keeps {@link #jobs} up to date with the API, and detects the end of all of them. */
  private void follow() {
    Follower<KubeObject> follower =
        new Follower<>(
            cluster,
            Kind.JOB,
            null,
            timers,
            RandomGenerators.unpredictable(),
            job -> wanted.contains(key(job.namespace(), job.name())) ? job : null,
            new JobListener());
    follower.start();
    follower
        .failure()
        .thenAccept(why -> end.complete(new End.Broken(String.valueOf(why.getMessage()))));
  }

  private final class JobListener implements Follower.Listener<KubeObject> {
    @Override
    public void onUpdate(KubeObject job) {
      onJob(job);
    }

    @Override
    public void onDelete(KubeObject last) {
      String key = key(last.namespace(), last.name());
      if (ended.add(key)) {
        deleted.add(key);
      }
      interruption.onDelete(last);
      endIfFinished();
    }
  }

  private void onJob(KubeObject job) {
    String key = key(job.namespace(), job.name());
    if (wanted.contains(key)) {
      jobs.put(key, job);
      JobOutcome.of(job)
          .filter(_ -> ended.add(key))
          .ifPresent(outcome -> onOutcome(outcome, ended.size() == wanted.size()));
      interruption.onUpdate(job);
      endIfFinished();
    }
  }

  private void endIfFinished() {
    if (ended.size() == wanted.size()) {
      end.complete(new End.Finished());
    }
  }

  /**
   * @param last true if no other Job is unfinished
   */
  private void onOutcome(JobOutcome outcome, boolean last) {
    if (options.reporting().failFast() && outcome.exitCode() == ExitCode.FAILED && !last) {
      end.complete(new End.FailedFast(outcome.job()));
    }
  }

  private void announce(JobSubmission.Applied job) {
    JobCounts counts = JobCounts.of(job.job());
    String of = counts.completions() == null ? "" : " of " + counts.completions();
    switch (job.decision()) {
      case RunDecision.Resume _ ->
          console.say(
              job.requested().name() + ": resumed, " + counts.succeeded() + of + " succeeded");
      case RunDecision.Report _ -> console.say(job.requested().name() + ": already finished");
      case RunDecision.Create _, RunDecision.StartAnew _, RunDecision.Continue _
          when job.decision().isStart() ->
          console.say(job.requested().name() + ": started, logs in " + logs(job.job()));
      default -> {}
    }
  }

  private End await(List<JobSubmission.Applied> applied) {
    String name =
        applied.size() == 1 ? applied.getFirst().requested().name() : applied.size() + " Jobs";
    Progress progress = new Progress(name, counts(), clock.instant());
    ProgressDisplay display = new ProgressDisplay(console, progress);
    try {
      while (true) {
        try {
          return end.get(REDRAW.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException notYet) {
          warnings.newLines().forEach(display::say);
          outcomes(display::say);
          if (!options.reporting().follow()) {
            display.show(counts(), clock.instant());
          }
        }
      }
    } catch (InterruptedException | ExecutionException fault) {
      throw new IllegalStateException(fault);
    } finally {
      warnings.newLines().forEach(display::say);
      display.clear();
    }
  }

  private JobCounts counts() {
    return jobs.values().stream().map(JobCounts::ofWork).reduce(JobCounts.NONE, JobCounts::plus);
  }

  /** Reports the end, ends the pods that still run, and returns the exit status. */
  private int close(End how) {
    return switch (how) {
      case End.Finished finished -> report();
      case End.Signalled signal -> {
        console.say("stopping pods; press Ctrl-C again to kill them at once");
        yield stopEarly(JobOutcome::interrupted, signal.status());
      }
      case End.TimedOut timedOut ->
          stopEarly(
              job -> JobOutcome.timedOut(job, timedOut.timeout()),
              report.hasFailed() ? ExitCode.FAILED.status() : ExitCode.TIMEOUT.status());
      case End.FailedFast failed ->
          stopEarly(job -> JobOutcome.stopped(job, failed.job()), ExitCode.FAILED.status());
      case End.Broken broken -> {
        console.say(broken.why());
        console.say(
            "no acknowledged write is lost; fix the cause, and run the same command again to resume");
        stop();
        yield ExitCode.USAGE.status();
      }
    };
  }

  /**
   * Stops all pods and reports every Job: those that have ended, and with the given words those
   * that have not. A failed one starts anew with the same command; others resume or are done.
   */
  private int stopEarly(UnaryOperator<String> unfinishedWords, int status) {
    stop();
    outcomes(console::say);
    unfinished()
        .forEach(job -> {
          String words = unfinishedWords.apply(job.name());
          console.say(words);
          report.add(job, words);
        });
    writeReport();
    printJson();
    inOrder().stream()
        .filter(job -> JobOutcome.of(job).filter(JobOutcome::hasFailed).isPresent())
        .forEach(this::markReported);
    releaseIfSubmitted();
    return status;
  }

  private void releaseIfSubmitted() {
    if (submitted) {
      place.release();
    }
  }

  /** Tells the outcomes of Jobs that have ended since the last call. */
  private void outcomes(Consumer<String> say) {
    for (KubeObject job : inOrder()) {
      JobOutcome.of(job).ifPresent(outcome -> report.tell(job, outcome, flags(job), say));
    }
  }

  private void writeReport() {
    followed.forEach(RunLogs::finishSoon);
    report.write();
  }

  /**
   * Ends the pods of our Jobs; those of others go on. Jobs of a submission that was cut short have
   * no follower here, so whoever holds the directory waits for the end of their pods.
   */
  private void stop() {
    place.onInterruption();
    if (!place.isShared()) {
      place.interrupt();
    } else if (submitted) {
      interruption.interrupt(unfinished().stream().map(KubeObject::ref).toList());
    } else {
      interruption.begin(submission.claimed().stream().map(JobClaim::ref).toList());
    }
  }

  private List<KubeObject> unfinished() {
    return jobs.entrySet().stream()
        .filter(job -> JobOutcome.of(job.getValue()).isEmpty() && !deleted.contains(job.getKey()))
        .map(Map.Entry::getValue)
        .toList();
  }

  private int report() {
    followed.forEach(RunLogs::finish);
    outcomes(console::say);
    deleted.stream().map(jobs::get).forEach(job -> report.add(job, tellDeleted(job)));
    report.summary().ifPresent(console::say);
    writeReport();
    printJson();
    // Last of all: if the process dies before, the next one reports the outcome again.
    place.stop();
    inOrder().stream().filter(job -> JobOutcome.of(job).isPresent()).forEach(this::markReported);
    releaseIfSubmitted();
    return report.hasFailed() || !deleted.isEmpty()
        ? ExitCode.FAILED.status()
        : ExitCode.OK.status();
  }

  private String tellDeleted(KubeObject job) {
    String words = job.name() + ": was deleted before it finished";
    console.say(words);
    return words;
  }

  /**
   * Records that the outcome was reported, so that the same command starts the Job anew. If this
   * can't be stored, the command reports the outcome again.
   */
  private void markReported(KubeObject job) {
    ObjectNode patch = Json.object();
    patch
        .putObject("metadata")
        .put("uid", job.uid())
        .putObject("annotations")
        .put(RequestedJob.REPORTED, "true");
    try {
      ApiCalls.await(cluster.patch(job.ref(), patch));
    } catch (ClusterException refused) {
      LOG.warn(
          "Cannot mark {} as reported; the same command will report it again: {}",
          job,
          refused.getMessage());
    }
  }

  private void printJson() {
    FinalJobs.print(inOrder(), options.output(), console);
  }

  private List<KubeObject> inOrder() {
    return requested.stream()
        .map(job -> Optional.ofNullable(jobs.get(key(job.namespace(), job.name()))))
        .flatMap(Optional::stream)
        .toList();
  }

  /** Returns the flags that another command needs to find a Job. */
  private String flags(KubeObject job) {
    return options.machine().data().flag(console.environment())
        + (job.namespace().equals("default") ? "" : " -n " + job.namespace());
  }

  private Path logs() {
    return options.machine().data().logs();
  }

  private Path logs(KubeObject job) {
    return logs().resolve(job.namespace()).resolve(job.name());
  }

  /** True if a pod's name is that of a pod of our Jobs. */
  private boolean isOfOurs(ObjectRef pod) {
    return requested.stream()
        .anyMatch(job ->
            job.namespace().equals(pod.namespace()) && pod.name().startsWith(job.name() + "-"));
  }

  private static String key(RequestedJob job) {
    return key(job.namespace(), job.name());
  }

  private static String key(String namespace, String name) {
    return JobClaim.key(namespace, name);
  }

  @Override
  public void close() {
    place.close();
    timers.close();
  }
}
