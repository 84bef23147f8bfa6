package dev.stint.cli.job;

import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.location.KeptLogs;
import dev.stint.cli.output.Console;
import dev.stint.jobs.JobChanges;
import dev.stint.jobs.JobState;
import dev.stint.model.KubeObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stint rm JOB...}: deletes Jobs with their pods. */
@Command(
    name = "rm",
    description =
        "Delete Jobs with their pods. Their logs stay, and stint logs and attempts find them, as long "
            + "as --keep-logs of stint up and run says.",
    footer = {"", "Example:", "  stint rm hello"})
public final class RmCommand extends JobsCommand {
  @Option(names = "--force", description = "Also those that have not ended.")
  private boolean force;

  @Option(names = "--logs", description = "Their logs too.")
  private boolean logs;

  public RmCommand(Console console) {
    super(console);
  }

  @Override
  String refusal(KubeObject job) {
    return force || JobState.of(job).over()
        ? ""
        : job.name() + " has not ended; cancel it first, or delete it with --force";
  }

  @Override
  Done change(JobsTarget target, KubeObject job) {
    JobChanges.delete(target.cluster(), job, target.atWork());
    if (logs) {
      KeptLogs.remove(target, job);
    }
    return new Done(job, logs ? "deleted with its logs" : "deleted");
  }

  @Override
  boolean takesAController() {
    return false;
  }
}
