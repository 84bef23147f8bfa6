package dev.stint.cli.cluster;

import dev.stint.cli.flag.DurationConverter;
import dev.stint.cli.follow.FollowedJobs;
import dev.stint.cli.follow.PodWarnings;
import dev.stint.cli.follow.RunLogs;
import dev.stint.cli.follow.RunReport;
import dev.stint.cli.location.ClusterConnections;
import dev.stint.cli.location.TargetCommand;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.Signals;
import dev.stint.cli.report.FinalJobs;
import dev.stint.cli.report.JobOutcome;
import dev.stint.cli.report.Progress;
import dev.stint.cli.report.ProgressDisplay;
import dev.stint.cli.run.ClusterRun;
import dev.stint.cli.submit.JobSubmission;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.cli.submit.RunDecision;
import dev.stint.cluster.ClusterException;
import dev.stint.embedded.RandomGenerators;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.Follower;
import dev.stint.jobs.JobChanges;
import dev.stint.jobs.JobCounts;
import dev.stint.jobs.JobInterruption;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.document.Document;
import dev.stint.model.field.FieldError;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One {@code run} on a cluster: submits the Jobs, follows them, and reports their outcome. The Jobs
 * are the cluster's: they go on without this command.
 */
public final class ClusterSession implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterSession.class);
  private static final Duration REDRAW = Duration.ofMillis(100);

  /** The time after which the user learns what this command waits for. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** The time in which a controller takes a new Job. */
  private static final Duration TAKEN = Duration.ofSeconds(20);

  /** The reason why the session ends. */
  private sealed interface End {
    /** Every Job has ended. */
    record Finished() implements End {}

    /** A signal came. */
    record Signalled(String signal) implements End {}

    record TimedOut(Duration timeout) implements End {}

    /** A Job has failed, and {@code --fail-fast} is set. */
    record FailedFast(String job) implements End {}

    /** The Jobs can't be read any more. */
    record Broken(String why) implements End {}
  }

  /** Thrown when the session ends before all Jobs are submitted. */
  private static final class EndedEarly extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final Console console;
  private final ClusterRun run;
  private final InstantSource clock = InstantSource.system();
  private final CompletableFuture<End> end = new CompletableFuture<>();
  private final FollowedJobs jobs;
  private final RunReport report;
  private final StopQuestion question;
  private final List<PodWarnings> warnings = new ArrayList<>();
  private final List<RunLogs> logs = new ArrayList<>();
  private final List<Follower<?>> followers = new ArrayList<>();

  ClusterSession(Console console, ClusterRun run) {
    this.console = console;
    this.run = run;
    this.jobs = new FollowedJobs(run.jobs());
    this.question = new StopQuestion(console);
    this.report =
        new RunReport(
            console,
            run.cluster(),
            new ClusterLogs(run.cluster(), this::flags),
            clock,
            run.jobs().size(),
            run.reporting().junit());
  }

  /**
   * Carries out a run and returns the exit status.
   *
   * @throws UserException if a document or the cluster refuses it
   */
  public static int run(Console console, ClusterRun run) {
    try (ClusterSession session = new ClusterSession(console, run)) {
      Signals.on("INT", () -> session.onSignal("INT"));
      Signals.on("TERM", () -> session.onSignal("TERM"));
      return session.run();
    }
  }

  /** Runs to the end and returns the exit status. */
  int run() {
    try {
      return carriedOut();
    } catch (ClusterException refused) {
      throw TargetCommand.userException(refused);
    }
  }

  private int carriedOut() {
    if (!run.origin().isEmpty()) {
      console.say(
          "%s, namespace %s, from %s"
              .formatted(
                  ClusterConnections.describe(run.cluster()), run.namespace(), run.origin()));
    }
    List<JobSubmission.Applied> applied;
    try {
      check();
      applied = submit();
    } catch (EndedEarly ended) {
      LOG.debug("The command ends before all Jobs are submitted", ended);
      console.say("ended before all Jobs were submitted; the same command submits the others");
      return status(end.join());
    }
    applied.forEach(job -> jobs.onUpdate(job.job()));
    follow();
    if (run.reporting().follow()) {
      applied.forEach(this::followLogs);
    }
    applied.forEach(this::announce);
    Duration timeout = run.timeout();
    if (timeout != null) {
      run.timers().after(timeout, () -> end.complete(new End.TimedOut(timeout)));
    }
    run.timers().after(TAKEN, this::noteUntaken);
    return close(await());
  }

  void onSignal(String signal) {
    if (!end.complete(new End.Signalled(signal))) {
      question.giveUp();
    }
  }

  /** Refuses documents before anything is sent. */
  private void check() {
    ClusterRunRefusals refusals = new ClusterRunRefusals();
    List<String> faults =
        Stream.concat(run.inputs().stream(), run.jobs().stream().map(RequestedJob::document))
            .flatMap(document -> refusals.of(document).stream())
            .toList();
    refuse(faults);
    CompletableFuture<String> asked = run.cluster().version();
    await(asked);
    ClusterVersion version = ClusterVersion.of(asked.join());
    if (version.minor() < ClusterVersion.OLDEST) {
      console.say(
          "warning: the cluster has %s; stint run is tried with v1.%d and later"
              .formatted(version.text(), ClusterVersion.OLDEST));
    }
    refuse(
        run.jobs().stream()
            .flatMap(job ->
                VersionedFields.of(KubeObject.of(job.tree()), version).stream()
                    .map(dropped -> describe(job.document(), dropped)))
            .toList());
  }

  private static String describe(Document document, VersionedFields.Dropped dropped) {
    return document.describe(
        new FieldError(dropped.path(), FieldError.Type.NOT_SUPPORTED, dropped.detail()));
  }

  private static void refuse(List<String> faults) {
    if (!faults.isEmpty()) {
      throw new UserException(ExitCode.USAGE, faults);
    }
  }

  private List<JobSubmission.Applied> submit() {
    new AppliedInputs(run.cluster(), run.namespace()).apply(run.inputs());
    JobSubmission submission =
        new JobSubmission(
            run.cluster(),
            new JobSubmission.Rules(run.existing(), FeatureGates.DEFAULT, _ -> false),
            clock,
            console::say,
            new ClusterSite(run.cluster(), run.timers(), run.existing(), this::awaitPods));
    return submission.apply(run.jobs()).stream().map(this::resume).toList();
  }

  private JobSubmission.Applied resume(JobSubmission.Applied job) {
    return new JobSubmission.Applied(
        job.requested(), job.decision(), JobInterruption.resume(run.cluster(), job.job()));
  }

  private void awaitPods(CompletableFuture<?> future) {
    Runnable silence =
        run.timers()
            .after(PATIENCE, () -> console.say("waiting for pods of an earlier Job to stop"));
    try {
      await(future);
    } finally {
      silence.run();
    }
  }

  /** Waits for a future, as long as this command goes on. */
  private void await(CompletableFuture<?> future) {
    ApiCalls.await(CompletableFuture.anyOf(future, end));
    if (end.isDone()) {
      future.cancel(false);
      throw new EndedEarly();
    }
  }

  private void follow() {
    run.jobs().stream().map(RequestedJob::namespace).distinct().forEach(this::follow);
    jobs.finished().thenRun(() -> end.complete(new End.Finished()));
    if (run.reporting().failFast()) {
      jobs.failed().thenAccept(failed -> end.complete(new End.FailedFast(failed.job())));
    }
  }

  private void follow(String namespace) {
    Follower<KubeObject> follower =
        new Follower<>(
            run.cluster(),
            Kind.JOB,
            namespace,
            run.timers(),
            RandomGenerators.unpredictable(),
            job -> jobs.has(job) ? job : null,
            jobs);
    followers.add(follower);
    follower.start();
    follower
        .failure()
        .thenAccept(why -> end.complete(new End.Broken(String.valueOf(why.getMessage()))));
    PodWarnings events =
        new PodWarnings(
            run.cluster(),
            run.timers(),
            RandomGenerators.unpredictable(),
            namespace,
            this::isOfOurs);
    warnings.add(events);
    Follower<KubeObject> ofEvents = events.start();
    followers.add(ofEvents);
    ofEvents
        .failure()
        .thenAccept(why -> console.say("warnings about pods are not shown: " + why.getMessage()));
  }

  /** True if it is one of our Jobs, or has the name of a pod of one. */
  private boolean isOfOurs(ObjectRef object) {
    return run.jobs().stream()
        .filter(job -> job.namespace().equals(object.namespace()))
        .anyMatch(job ->
            object.kind().equals(Kind.JOB)
                ? object.name().equals(job.name())
                : object.name().startsWith(job.name() + "-"));
  }

  private void followLogs(JobSubmission.Applied applied) {
    if (applied.decision().isStart()) {
      KubeObject job = applied.job();
      boolean begun = applied.decision() instanceof RunDecision.Resume;
      String prefix = run.jobs().size() == 1 ? "" : job.name();
      RunLogs started =
          new ClusterLogs(run.cluster(), this::flags)
              .of(job)
              .map(source ->
                  RunLogs.of(console, run.cluster(), run.timers(), source, job, prefix, begun))
              .orElseThrow();
      logs.add(started);
      started.start();
    }
  }

  private void announce(JobSubmission.Applied applied) {
    KubeObject job = applied.job();
    switch (applied.decision()) {
      case RunDecision.Resume _ -> console.say(job.name() + ": goes on, " + succeeded(job));
      case RunDecision.Report _ -> console.say(job.name() + ": already finished");
      case RunDecision.Create _, RunDecision.StartAnew _, RunDecision.Continue _
          when applied.decision().isStart() ->
          console.say(
              "%s: created; its logs: stint logs -f %s%s"
                  .formatted(job.name(), job.name(), flags(job)));
      default -> {}
    }
  }

  private static String succeeded(KubeObject job) {
    JobCounts counts = JobCounts.of(job);
    String of = counts.completions() == null ? "" : " of " + counts.completions();
    String suspended = JobChanges.isSuspended(job) ? "; it is suspended" : "";
    return counts.succeeded() + of + " succeeded" + suspended;
  }

  /** Names Jobs that no controller has taken. */
  private void noteUntaken() {
    for (KubeObject job : jobs.unfinished()) {
      if (Json.text(job.status(), "startTime") == null && !JobChanges.isSuspended(job)) {
        String managedBy = Json.text(job.spec(), "managedBy");
        console.say(
            "%s: no controller has taken it yet; is %s running in this cluster?"
                .formatted(job.name(), managedBy == null ? "the built-in controller" : managedBy));
      }
    }
  }

  private End await() {
    Progress progress = new Progress(jobs.title(), jobs.counts(), clock.instant());
    ProgressDisplay display = new ProgressDisplay(console, progress);
    try {
      while (true) {
        try {
          return end.get(REDRAW.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException notYet) {
          tellNews(display::say);
          if (!run.reporting().follow()) {
            display.show(jobs.counts(), clock.instant());
          }
        }
      }
    } catch (InterruptedException | ExecutionException fault) {
      throw new IllegalStateException(fault);
    } finally {
      display.clear();
    }
  }

  private void tellNews(Consumer<String> say) {
    warnings.forEach(each -> each.newLines().forEach(say));
    for (KubeObject job : jobs.inOrder()) {
      JobOutcome.of(job).ifPresent(outcome -> report.tell(job, outcome, flags(job), say));
    }
  }

  /** Reports the end and returns the exit status. */
  private int close(End how) {
    switch (how) {
      case End.Finished _ -> {
        return finish();
      }
      case End.Signalled signal -> stopEarly(answered(signal.signal()));
      case End.TimedOut timedOut ->
          stopEarly(job -> {
            String within = DurationConverter.format(timedOut.timeout());
            return "%s: not finished within %s; %s".formatted(job.name(), within, goesOn(job));
          });
      case End.FailedFast failed ->
          stopEarly(job -> {
            JobInterruption.begin(run.cluster(), job.ref());
            return JobOutcome.stopped(job.name(), failed.job());
          });
      case End.Broken broken -> {
        console.say(broken.why());
        stopEarly(job -> job.name() + ": " + goesOn(job));
      }
    }
    return status(how);
  }

  private int status(End how) {
    return switch (how) {
      case End.Finished _ -> ExitCode.OK.status();
      case End.Signalled signal ->
          signal.signal().equals("INT") ? ExitCode.INTERRUPTED.status() : 128 + 15;
      case End.TimedOut _ ->
          report.hasFailed() ? ExitCode.FAILED.status() : ExitCode.TIMEOUT.status();
      case End.FailedFast _ -> ExitCode.FAILED.status();
      case End.Broken _ -> ExitCode.USAGE.status();
    };
  }

  /** Asks what becomes of the Jobs; returns what does it to one of them, and says so. */
  private Function<KubeObject, String> answered(String signal) {
    StopChoice choice =
        signal.equals("INT") && !jobs.unfinished().isEmpty()
            ? question.ask(jobs.title())
            : StopChoice.LEAVE;
    return switch (choice) {
      case LEAVE -> job -> job.name() + ": " + goesOn(job);
      case SUSPEND ->
          job -> {
            JobInterruption.begin(run.cluster(), job.ref());
            return job.name()
                + ": suspended; its pods are stopped, and the same command resumes it";
          };
      case CANCEL ->
          job -> {
            KubeObject changed =
                JobChanges.cancel(run.cluster(), job, "cancelled by stint run", clock.instant());
            return job.name() + ": " + JobChanges.cancellation(changed);
          };
    };
  }

  private String goesOn(KubeObject job) {
    return "it goes on in the cluster; the same command follows it again, and so does: stint wait %s%s"
        .formatted(job.name(), flags(job));
  }

  /** Reports the Jobs that have ended, and does something about the others. */
  private void stopEarly(Function<KubeObject, String> unfinished) {
    tellNews(console::say);
    for (KubeObject job : jobs.unfinished()) {
      String words;
      try {
        words = unfinished.apply(job);
      } catch (ClusterException refused) {
        words = "%s: %s; it goes on".formatted(job.name(), refused.getMessage());
      }
      console.say(words);
      report.add(job, words);
    }
    logs.forEach(RunLogs::finishSoon);
    report.write();
    FinalJobs.print(jobs.inOrder(), run.output(), console);
    jobs.inOrder().stream()
        .filter(job -> JobOutcome.of(job).filter(JobOutcome::hasFailed).isPresent())
        .forEach(this::markReported);
  }

  private int finish() {
    logs.forEach(RunLogs::finish);
    tellNews(console::say);
    List<KubeObject> deleted = jobs.deleted();
    for (KubeObject job : deleted) {
      String words = job.name() + ": was deleted before it finished";
      console.say(words);
      report.add(job, words);
    }
    report.summary().ifPresent(console::say);
    report.write();
    FinalJobs.print(jobs.inOrder(), run.output(), console);
    // Last of all: if the process dies before, the next one reports the outcome again.
    jobs.inOrder().stream()
        .filter(job -> JobOutcome.of(job).isPresent())
        .forEach(this::markReported);
    return report.hasFailed() || !deleted.isEmpty()
        ? ExitCode.FAILED.status()
        : ExitCode.OK.status();
  }

  /** Records that the outcome was reported, so that the same command starts the Job anew. */
  private void markReported(KubeObject job) {
    ObjectNode patch = Json.object();
    patch
        .putObject("metadata")
        .put("uid", job.uid())
        .putObject("annotations")
        .put(RequestedJob.REPORTED, "true");
    try {
      ApiCalls.await(run.cluster().patch(job.ref(), patch));
    } catch (ClusterException refused) {
      LOG.warn(
          "Cannot mark {} as reported; the same command will report it again: {}",
          job,
          refused.getMessage());
    }
  }

  /** Returns the flags with which another command finds a Job, each with a space before it. */
  private String flags(KubeObject job) {
    boolean usual = job.namespace().equals(run.usual());
    return run.flags() + (usual ? "" : " -n " + job.namespace());
  }

  @Override
  public void close() {
    followers.forEach(Follower::close);
  }
}
