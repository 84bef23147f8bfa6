package dev.stint.cli.run;

import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.jobs.DisplayText;
import dev.stint.jobs.JobException;
import dev.stint.jobs.Rerun;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stint rerun JOB}: creates a new Job for some indexes of an ended one. */
@Command(
    name = "rerun",
    description = {
      "Rerun indexes of a finished Indexed Job as a new Job.",
      "The new Job keeps the other successes, and each index keeps its JOB_COMPLETION_INDEX.",
      "If no stint up uses the data directory, the new Job runs here, as with stint run. On a",
      "cluster, it is followed to its end, as with stint run."
    },
    footer = {"", "Example:", "  stint rerun hello --failed"})
public final class RerunCommand extends NewJobCommand {
  @Parameters(paramLabel = "JOB", description = "Name of the finished Job.")
  String job = "";

  /** The flags that select indexes; one of them is required. */
  static final class Which {
    @Option(
        names = "--failed",
        required = true,
        description = "Rerun all indexes that have not succeeded.")
    boolean failed;

    @Option(
        names = {"--indexes", "--index"},
        required = true,
        paramLabel = "LIST",
        description = "Rerun these indexes, such as 3,7-9, even if they have succeeded.")
    @Nullable IndexSet indexes;
  }

  @ArgGroup(exclusive = true, multiplicity = "1")
  Which which = new Which();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the new Job (default: JOB-rerun-1, or the next free number).")
  @Nullable String name;

  @Option(
      names = "--dry-run",
      description = "Print the new Job as YAML, without the kept successes, and do not create it.")
  boolean dryRun;

  /**
   * @param clusters follows Jobs of clusters
   */
  public RerunCommand(Console console, ClusterRun.Executor clusters) {
    super(console, clusters);
  }

  @Override
  boolean isDryRun() {
    return dryRun;
  }

  @Override
  NewJob newJob(JobsTarget target) {
    KubeObject ended = target.job(job);
    Rerun rerun =
        rerun(
            ended,
            name == null
                ? Rerun.name(ended.name(), names(target, ended.namespace())::contains)
                : name);
    return new NewJob(
        rerun.document(),
        "reruns %s of %s and keeps %s"
            .formatted(
                DisplayText.namedIndexes(rerun.indexes(), 60),
                JobsTarget.name(job),
                DisplayText.count(rerun.kept().size(), "success", "successes")),
        document -> rerun.create(target.cluster(), document),
        true);
  }

  private Rerun rerun(KubeObject ended, String chosen) {
    try {
      return Rerun.of(ended, which.failed ? null : which.indexes, chosen);
    } catch (JobException refusal) {
      throw new UserException(String.valueOf(refusal.getMessage()));
    }
  }
}
