package dev.stint.cli.job;

import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.location.KeptLogs;
import dev.stint.cli.output.Console;
import dev.stint.jobs.JobState;
import dev.stint.model.KubeObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stint rm JOB...}: deletes Jobs with their pods. */
@Command(
    name = "rm",
    description = {
      "Delete Jobs with their pods.",
      "Logs are kept for the time of --keep-logs (stint up, stint run), and stint "
          + "logs finds them."
    },
    footer = {"", "Example:", "  stint rm hello"})
public final class RmCommand extends JobsCommand {
  @Option(names = "--force", description = "Delete unfinished Jobs, too.")
  boolean force;

  @Option(names = "--logs", description = "Delete the logs, too.")
  boolean logs;

  public RmCommand(Console console) {
    super(console);
  }

  @Override
  void check(JobsTarget target) {
    if (logs) {
      KeptLogs.check(target);
    }
  }

  @Override
  String refusal(KubeObject job) {
    return force || JobState.of(job).isFinished()
        ? ""
        : job.name() + " is not finished; cancel it first, or delete it with --force";
  }

  @Override
  Done change(JobsTarget target, KubeObject job) {
    target.delete(job);
    if (logs) {
      KeptLogs.remove(target, job);
    }
    return new Done(job, logs ? "deleted with its logs" : "deleted");
  }

  @Override
  boolean needsController() {
    return false;
  }
}
