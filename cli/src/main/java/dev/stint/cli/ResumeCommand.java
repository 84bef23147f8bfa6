package dev.stint.cli;

import dev.stint.model.KubeObject;
import picocli.CommandLine.Command;

/** {@code stint resume JOB...}: the opposite of suspend. */
@Command(
    name = "resume",
    description = "Resume Jobs that are suspended.",
    footer = {"", "Example:", "  stint resume hello"})
final class ResumeCommand extends JobsCommand {
  ResumeCommand(Console console) {
    super(console);
  }

  @Override
  String refusal(KubeObject job) {
    return JobState.of(job).over() ? job.name() + " has ended; stint rerun runs it again" : "";
  }

  @Override
  Done change(Target target, KubeObject job) {
    if (JobChanges.suspended(job) == false) {
      return new Done(job, "is not suspended");
    }
    return new Done(JobChanges.suspend(target.cluster(), job, false), "resumed");
  }
}
