package dev.stint.cli.job;

import dev.stint.cli.location.CopyOptions;
import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.location.RemoteLogs;
import dev.stint.cli.location.TargetCommand;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.ReportFormat;
import dev.stint.cli.output.ReportPrinter;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.RetryDelayFile;
import dev.stint.cluster.ClusterException;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.PredecessorExplanation;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.jobs.attempts.LogTails;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stint show JOB}: reports on one Job. */
@Command(
    name = "show",
    description = {
      "Show the state of a Job, its last failures and the next steps.",
      "Shows counts, rate and remaining time, why the Job failed or waits, the log tails",
      "of its last failures, its conditions and its events."
    },
    footer = {"", "Example:", "  stint show hello"})
public final class ShowCommand extends TargetCommand {
  @Parameters(paramLabel = "JOB", description = "Name of the Job.")
  String job = "";

  @Mixin CopyOptions copies = new CopyOptions();

  @Option(
      names = "--tail",
      paramLabel = "N",
      defaultValue = "5",
      description = "Number of log lines to show for each failure (default: ${DEFAULT-VALUE}).")
  long tail = 5;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml|name",
      description = "Output format (default: text).")
  ReportFormat format = ReportFormat.text;

  public ShowCommand(Console console) {
    super(console);
  }

  @Override
  public ExitCode run(JobsTarget target) throws IOException {
    KubeObject found = target.job(job);
    Instant now = clock.instant();
    print(
        copies.isGiven() ? mirrored(target, found, now) : report(target, found, target, now),
        found,
        now);
    return ExitCode.OK;
  }

  /** Makes the report with the pods on a worker, or without them if they cannot be read there. */
  private JobReport mirrored(JobsTarget target, KubeObject found, Instant now) throws IOException {
    try {
      return copies.with(console, target, job, pods -> report(target, found, pods, now));
    } catch (UserException | ClusterException absent) {
      console.say(String.valueOf(absent.getMessage()));
      return report(target, found, target, now);
    }
  }

  /**
   * Makes the report.
   *
   * @param pods the place of the Job's pods
   */
  private JobReport report(JobsTarget target, KubeObject found, JobsTarget pods, Instant now)
      throws IOException {
    KubeObject owner = pods == target ? found : pods.job(job);
    List<ContainerAttemptView> attempts = AttemptOptions.find(pods, job, owner, false);
    LogSource logs = RemoteLogs.of(pods, found.name());
    return JobReport.of(
            found,
            attempts,
            events(target, found),
            attempt -> LogTails.read(logs, attempt, tail),
            NextCommands.of(found, target.isWorkedOn(found), target.flags(), copies.flags()),
            JobSummaries.of(target, found, now),
            target.data().flatMap(data -> RetryDelayFile.read(data.path())))
        .withReasons(PredecessorExplanation.of(target.cluster(), found));
  }

  private void print(JobReport report, KubeObject found, Instant now) {
    ReportPrinter printer = new ReportPrinter(console);
    printer.print(
        format,
        () -> report.text(printer, console, now),
        () -> report.json(now),
        () -> List.of("job.batch/" + found.name()));
  }

  /** Returns the events of a Job's namespace; none if they may not be read, which it says. */
  private List<KubeObject> events(JobsTarget target, KubeObject found) {
    try {
      return ApiCalls.await(target.cluster().list(Kind.EVENT, found.namespace())).items();
    } catch (ClusterException refused) {
      console.say("events are not shown: " + refused.getMessage());
      return List.of();
    }
  }
}
