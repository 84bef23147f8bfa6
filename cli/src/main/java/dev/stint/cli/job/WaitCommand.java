package dev.stint.cli.job;

import dev.stint.cli.flag.DurationConverter;
import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.location.TargetCommand;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.ReportFormat;
import dev.stint.cli.output.ReportPrinter;
import dev.stint.cli.output.UserException;
import dev.stint.cli.report.JobOutcome;
import dev.stint.cli.report.Progress;
import dev.stint.cli.report.ProgressDisplay;
import dev.stint.cluster.ClusterException;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.Follower;
import dev.stint.jobs.JobCounts;
import dev.stint.jobs.JobState;
import dev.stint.jobs.JobSummary;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stint wait JOB...}: waits until all Jobs have ended, one way or the other. */
@Command(
    name = "wait",
    description = {
      "Wait until Jobs are finished.",
      "Exit status: 0 all are Complete, 1 one is Failed or was deleted, 124 --timeout passed."
    },
    footer = {"", "Example:", "  stint wait hello world --timeout 10m && echo both are done"})
public final class WaitCommand extends TargetCommand {
  private static final Duration REDRAW = Duration.ofMillis(100);

  /** The interval of progress lines if there is no bar. */
  private static final Duration LINE_INTERVAL = Duration.ofSeconds(5);

  @Parameters(arity = "1..*", paramLabel = "JOB", description = "Names of the Jobs.")
  List<String> jobs = List.of();

  @Option(
      names = "--for",
      paramLabel = "complete|failed",
      description =
          "Outcome that exit status 0 stands for. The command exits with 1 as soon as a "
              + "Job has the other outcome (default: complete).")
  Wanted wanted = Wanted.complete;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "Maximum time to wait, such as 90s (default: no limit).")
  @Nullable Duration timeout;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml|name",
      description = "Output format (default: text).")
  ReportFormat format = ReportFormat.text;

  /** The values of {@code --for}. */
  enum Wanted {
    complete,
    failed;

    boolean matches(KubeObject job) {
      JobState state = JobState.of(job);
      return state == (this == complete ? JobState.COMPLETE : JobState.FAILED);
    }
  }

  public WaitCommand(Console console) {
    super(console);
  }

  @Override
  public ExitCode run(JobsTarget target) {
    List<KubeObject> found = jobs.stream().map(target::job).distinct().toList();
    Waiting waiting = new Waiting(found, wanted);
    waiting.unfinished().stream()
        .filter(job -> !target.isWorkedOnSoon(job))
        .findFirst()
        .filter(_ -> !waiting.done.isDone())
        .ifPresent(job -> {
          throw neverFinishes(job);
        });
    target.left(waiting::unfinished).thenRun(() -> onLeft(target, waiting));
    try (Follower<KubeObject> follower =
        Follower.of(
            target.cluster(),
            Kind.JOB,
            target.namespace(),
            target.timers(),
            target.random(),
            waiting)) {
      found.forEach(follower::expect);
      follower.start();
      follower.failure().thenAccept(waiting.done::completeExceptionally);
      boolean ended = await(target, waiting);
      report(waiting);
      return ended ? waiting.exitCode() : ExitCode.TIMEOUT;
    }
  }

  private static UserException neverFinishes(KubeObject job) {
    return new UserException(
        "%s would never finish, because no controller is running; start stint up, or stint run with its file"
            .formatted(job.name()));
  }

  private static UserException isLeft(KubeObject job) {
    return new UserException(
        "%s would never finish, because the command that ran it has ended; run that command again"
            .formatted(job.name()));
  }

  /** Ends the wait if nothing works on the Jobs any more, since they will not change. */
  private static void onLeft(JobsTarget target, Waiting waiting) {
    try {
      for (KubeObject job : waiting.unfinished()) {
        KubeObject now = ApiCalls.find(target.cluster(), job.ref());
        if (now == null) {
          waiting.onDelete(job);
        } else {
          waiting.onUpdate(now);
        }
      }
      waiting.unfinished().stream()
          .filter(job -> !target.isStillWorkedOn(job))
          .findFirst()
          .ifPresent(job ->
              waiting.done.completeExceptionally(
                  target.isReleased() ? neverFinishes(job) : isLeft(job)));
    } catch (ClusterException refused) {
      waiting.done.completeExceptionally(refused);
    }
  }

  /** The states of the Jobs to wait for. */
  static final class Waiting implements Follower.Listener<KubeObject> {
    private final Map<String, KubeObject> jobs = new LinkedHashMap<>();
    private final Map<String, KubeObject> deleted = new LinkedHashMap<>();
    private final Wanted wanted;
    final CompletableFuture<Boolean> done = new CompletableFuture<>();

    Waiting(List<KubeObject> found, Wanted wanted) {
      this.wanted = wanted;
      found.forEach(job -> jobs.put(job.uid(), job));
      completeIfDone();
    }

    @Override
    public synchronized void onUpdate(KubeObject job) {
      if (jobs.containsKey(job.uid())) {
        jobs.put(job.uid(), job);
        completeIfDone();
      }
    }

    @Override
    public synchronized void onDelete(KubeObject last) {
      if (jobs.containsKey(last.uid())) {
        jobs.put(last.uid(), last);
        deleted.put(last.uid(), last);
        completeIfDone();
      }
    }

    private void completeIfDone() {
      if (unfinished().isEmpty() || jobs.values().stream().anyMatch(this::hasUnwantedOutcome)) {
        done.complete(true);
      }
    }

    private boolean hasUnwantedOutcome(KubeObject job) {
      boolean finished = JobStatus.read(job.status()).isFinished();
      return finished ? !wanted.matches(job) : deleted.containsKey(job.uid());
    }

    synchronized List<KubeObject> unfinished() {
      return jobs.values().stream()
          .filter(job -> !JobStatus.read(job.status()).isFinished())
          .filter(job -> !deleted.containsKey(job.uid()))
          .toList();
    }

    synchronized List<KubeObject> all() {
      return List.copyOf(jobs.values());
    }

    JobCounts counts() {
      return all().stream().map(JobCounts::ofWork).reduce(JobCounts.NONE, JobCounts::plus);
    }

    synchronized boolean isDeleted(KubeObject job) {
      return deleted.containsKey(job.uid()) && !JobStatus.read(job.status()).isFinished();
    }

    synchronized ExitCode exitCode() {
      return jobs.values().stream().anyMatch(this::hasUnwantedOutcome)
          ? ExitCode.FAILED
          : ExitCode.OK;
    }
  }

  /** Waits for the Jobs; true if they ended in time. */
  private boolean await(JobsTarget target, Waiting waiting) {
    if (timeout != null) {
      target.timers().after(timeout, () -> waiting.done.complete(false));
    }
    String name = jobs.size() == 1 ? JobsTarget.name(jobs.getFirst()) : jobs.size() + " Jobs";
    ProgressDisplay display =
        new ProgressDisplay(console, new Progress(name, waiting.counts(), clock.instant()));
    try {
      return ProgressDisplay.await(
          waiting.done,
          console.terminal() ? REDRAW : LINE_INTERVAL,
          () -> display.show(waiting.counts(), clock.instant()));
    } finally {
      display.clear();
    }
  }

  private void report(Waiting waiting) {
    Instant now = clock.instant();
    List<KubeObject> all = waiting.all();
    ReportPrinter printer = new ReportPrinter(console);
    printer.print(
        format,
        () -> all.stream().map(job -> line(printer, waiting, job)).toList(),
        () -> LsCommand.json(all.stream().map(job -> JobSummary.of(job, now)).toList()),
        () -> all.stream().map(job -> "job.batch/" + job.name()).toList());
  }

  private String line(ReportPrinter printer, Waiting waiting, KubeObject job) {
    if (waiting.isDeleted(job)) {
      return job.name() + ": " + printer.bad("was deleted before it finished");
    }
    return JobOutcome.of(job)
        .map(outcome -> {
          String verdict = outcome.verdict();
          return outcome.exitCode() == ExitCode.OK ? printer.good(verdict) : printer.bad(verdict);
        })
        .orElseGet(() -> {
          JobSummary summary = JobSummary.of(job, clock.instant());
          return job.name()
              + ": not finished"
              + (timeout == null ? "" : " within " + DurationConverter.format(timeout))
              + ", "
              + summary.done()
              + " succeeded";
        });
  }
}
