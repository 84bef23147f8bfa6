package dev.stint.cli.job;

import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.output.Console;
import dev.stint.jobs.JobChanges;
import dev.stint.model.KubeObject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stint cancel JOB...}: lets Jobs fail, since the user wants it. */
@Command(
    name = "cancel",
    description = {
      "Cancel Jobs, which fail with the reason Cancelled.",
      "Running pods are stopped with their grace period and counted.",
      "The Jobs are not deleted, and stint rerun can run them again."
    },
    footer = {"", "Example:", "  stint cancel hello --reason \"wrong input\""})
public final class CancelCommand extends JobsCommand {
  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Text for the message of the Failed condition.")
  @Nullable String why;

  public CancelCommand(Console console) {
    super(console);
  }

  @Override
  String refusal(KubeObject job) {
    return JobChanges.refusalToCancel(job);
  }

  @Override
  Done change(JobsTarget target, KubeObject job) {
    String message = "cancelled by stint cancel" + (why == null ? "" : ": " + why);
    KubeObject changed = JobChanges.cancel(target.cluster(), job, message, clock.instant());
    return new Done(changed, JobChanges.cancellation(changed));
  }
}
