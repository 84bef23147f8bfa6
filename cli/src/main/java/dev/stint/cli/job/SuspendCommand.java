package dev.stint.cli.job;

import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.output.Console;
import dev.stint.jobs.JobChanges;
import dev.stint.model.KubeObject;
import picocli.CommandLine.Command;

/** {@code stint suspend JOB...}: ends the pods of Jobs, and starts none until they are resumed. */
@Command(
    name = "suspend",
    description =
        "Suspend Jobs: their pods are ended with their grace period, and none runs until stint resume. "
            + "What has succeeded stays; what ran is run again.",
    footer = {"", "Example:", "  stint suspend hello"})
public final class SuspendCommand extends JobsCommand {
  public SuspendCommand(Console console) {
    super(console);
  }

  @Override
  String refusal(KubeObject job) {
    return JobChanges.refusalToSuspend(job);
  }

  @Override
  Done change(JobsTarget target, KubeObject job) {
    if (JobChanges.suspended(job)) {
      return new Done(job, "is suspended already");
    }
    return new Done(
        JobChanges.suspend(target.cluster(), job, true), "suspended; its pods are being ended");
  }
}
