package dev.stint.cli.job;

import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.location.KeptLogs;
import dev.stint.cli.location.TargetCommand;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.ReportFormat;
import dev.stint.cli.output.ReportPrinter;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.JobSummary;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stint gc}: deletes Jobs that ended long ago. */
@Command(
    name = "gc",
    description = {
      "Delete Jobs that finished long ago, with their pods.",
      "Logs are kept for the time of --keep-logs (stint up, stint run)."
    },
    footer = {"", "Example:", "  stint gc --older-than 7d --only complete --dry-run"})
public final class GcCommand extends TargetCommand {
  @Option(
      names = "--older-than",
      paramLabel = "DURATION",
      required = true,
      description = "Delete Jobs that finished longer ago than this, such as 7d.")
  Duration age = Duration.ZERO;

  @Option(
      names = "--only",
      paramLabel = "complete|failed",
      description = "Delete only Jobs with this outcome (default: both).")
  WaitCommand.@Nullable Wanted only;

  @Option(
      names = {"-A", "--all-namespaces"},
      description = "Delete the Jobs of all namespaces.")
  boolean all;

  @Option(names = "--logs", description = "Delete the logs, too.")
  boolean logs;

  @Option(names = "--dry-run", description = "List the Jobs, and do not delete them.")
  boolean dryRun;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml|name",
      description = "Output format (default: text).")
  ReportFormat format = ReportFormat.text;

  public GcCommand(Console console) {
    super(console);
  }

  @Override
  public ExitCode run(JobsTarget target) {
    if (logs) {
      KeptLogs.check(target);
    }
    Instant now = clock.instant();
    String namespace = all ? null : target.namespace();
    List<KubeObject> old =
        ApiCalls.await(target.cluster().list(Kind.JOB, namespace)).items().stream()
            .filter(job -> isOld(job, now))
            .toList();
    if (old.isEmpty() && format == ReportFormat.text) {
      console.say("no such Jobs");
      return ExitCode.OK;
    }
    ChangedJobs<KubeObject> changed =
        ChangedJobs.of(old, this::name, job -> dryRun ? job : deleted(target, job));
    print(changed.done(), now);
    changed.checkAll();
    return ExitCode.OK;
  }

  private KubeObject deleted(JobsTarget target, KubeObject job) {
    target.delete(job);
    if (logs) {
      KeptLogs.remove(target, job);
    }
    return job;
  }

  private void print(List<KubeObject> done, Instant now) {
    String words = dryRun ? ": would be deleted" : ": deleted";
    new ReportPrinter(console)
        .print(
            format,
            () -> done.stream().map(job -> name(job) + words).toList(),
            () -> LsCommand.json(done.stream().map(job -> JobSummary.of(job, now)).toList()),
            () -> done.stream().map(job -> "job.batch/" + job.name()).toList());
  }

  private String name(KubeObject job) {
    return (all ? job.namespace() + "/" : "") + job.name();
  }

  private boolean isOld(KubeObject job, Instant now) {
    Instant ended = JobSummary.of(job, now).ended();
    return JobStatus.read(job.status()).isFinished()
        && job.deletionTimestamp() == null
        && ended != null
        && ended.isBefore(now.minus(age))
        && (only == null || only.matches(job));
  }
}
