package dev.stint.cli.job;

import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.location.TargetCommand;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.ReportFormat;
import dev.stint.cli.output.ReportPrinter;
import dev.stint.cli.output.UserException;
import dev.stint.jobs.JobSummary;
import dev.stint.model.KubeObject;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * A command that changes the named Jobs, or none if the state of one does not allow it. An API that
 * refuses the change of one of them gets those of the others all the same.
 */
abstract class JobsCommand extends TargetCommand {
  @Parameters(arity = "1..*", paramLabel = "JOB", description = "Names of the Jobs.")
  List<String> jobs = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml|name",
      description = "Output format (default: text).")
  ReportFormat format = ReportFormat.text;

  JobsCommand(Console console) {
    super(console);
  }

  /** A changed Job, and the change in words. */
  record Done(KubeObject job, String words) {}

  @Override
  public final ExitCode run(JobsTarget target) {
    check(target);
    List<KubeObject> found = jobs.stream().map(target::job).distinct().toList();
    List<String> refusals =
        found.stream().map(this::refusal).filter(refusal -> !refusal.isEmpty()).toList();
    if (!refusals.isEmpty()) {
      throw new UserException(ExitCode.USAGE, refusals);
    }
    ChangedJobs<Done> changed = ChangedJobs.of(found, KubeObject::name, job -> change(target, job));
    print(changed.done());
    if (needsController() && !changed.done().stream().map(Done::job).allMatch(target::isWorkedOn)) {
      console.say(
          "no controller is running; start stint up, or stint run with its file, to carry this out");
    }
    changed.checkAll();
    return ExitCode.OK;
  }

  private void print(List<Done> done) {
    new ReportPrinter(console)
        .print(
            format,
            () -> done.stream().map(each -> each.job().name() + ": " + each.words()).toList(),
            () ->
                LsCommand.json(
                    done.stream().map(each -> JobSummary.of(each.job(), clock.instant())).toList()),
            () -> done.stream().map(each -> "job.batch/" + each.job().name()).toList());
  }

  /**
   * Checks the flags before the first change.
   *
   * @throws UserException if one is impossible there
   */
  void check(JobsTarget target) {}

  /** Returns one line that says why this change of a Job is impossible; empty if it is possible. */
  abstract String refusal(KubeObject job);

  abstract Done change(JobsTarget target, KubeObject job);

  /** True if a controller has to do the rest. */
  boolean needsController() {
    return true;
  }
}
