package dev.stint.cli.job;

import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.output.Console;
import dev.stint.jobs.JobChanges;
import dev.stint.model.KubeObject;
import picocli.CommandLine.Command;

/** {@code stint suspend JOB...}: ends the pods of Jobs, and starts none until they are resumed. */
@Command(
    name = "suspend",
    description = {
      "Suspend Jobs until stint resume.",
      "Running pods are stopped with their grace period, and run again after stint resume.",
      "Successes are kept."
    },
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
    if (JobChanges.isSuspended(job)) {
      return new Done(job, "already suspended");
    }
    return new Done(
        JobChanges.suspend(target.cluster(), job, true), "suspended; its pods are being stopped");
  }
}
