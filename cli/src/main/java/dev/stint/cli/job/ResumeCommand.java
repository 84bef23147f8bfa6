package dev.stint.cli.job;

import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.output.Console;
import dev.stint.jobs.JobChanges;
import dev.stint.model.KubeObject;
import picocli.CommandLine.Command;

/** {@code stint resume JOB...}: resumes suspended Jobs. */
@Command(
    name = "resume",
    description = "Resume suspended Jobs.",
    footer = {"", "Example:", "  stint resume hello"})
public final class ResumeCommand extends JobsCommand {
  public ResumeCommand(Console console) {
    super(console);
  }

  @Override
  String refusal(KubeObject job) {
    return JobChanges.refusalToSuspend(job);
  }

  @Override
  Done change(JobsTarget target, KubeObject job) {
    if (!JobChanges.isSuspended(job)) {
      return new Done(job, "not suspended");
    }
    return new Done(JobChanges.suspend(target.cluster(), job, false), "resumed");
  }
}
