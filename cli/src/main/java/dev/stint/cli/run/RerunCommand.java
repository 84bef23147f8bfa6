package dev.stint.cli.run;

import dev.stint.cli.follow.FollowOptions;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.location.TargetCommand;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.OutputFormat;
import dev.stint.cli.output.ReportFormat;
import dev.stint.cli.output.ReportPrinter;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.ControllerOptions;
import dev.stint.cli.plane.NodeOptions;
import dev.stint.cli.plane.PodOptions;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.cli.share.MachineOptions;
import dev.stint.cli.submit.ExistingJobs;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.DisplayText;
import dev.stint.jobs.JobException;
import dev.stint.jobs.Rerun;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.document.DocumentSyntaxException;
import dev.stint.model.document.Documents;
import dev.stint.model.document.YamlWriter;
import dev.stint.model.index.IndexSet;
import dev.stint.runner.process.user.InheritedNames;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

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
public final class RerunCommand extends TargetCommand {
  @Parameters(paramLabel = "JOB", description = "Name of the finished Job.")
  private String job = "";

  /** The flags that select indexes; one of them is required. */
  static final class Which {
    @Option(
        names = "--failed",
        required = true,
        description = "Rerun all indexes that have not succeeded.")
    private boolean failed;

    @Option(
        names = {"--indexes", "--index"},
        required = true,
        paramLabel = "LIST",
        description = "Rerun these indexes, such as 3,7-9, even if they have succeeded.")
    private @Nullable IndexSet indexes;
  }

  @ArgGroup(exclusive = true, multiplicity = "1")
  private Which which = new Which();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the new Job (default: JOB-rerun-1, or the next free number).")
  private @Nullable String name;

  @Option(
      names = "--dry-run",
      description = "Print the new Job as YAML, without the kept successes, and do not create it.")
  private boolean dryRun;

  @Option(
      names = "--no-run",
      description = "Create the new Job, but neither run it here nor follow it.")
  private boolean notNow;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml|name",
      description = "Output format (default: text).")
  private ReportFormat format = ReportFormat.text;

  private @Nullable RequestedJob toRun;
  private @Nullable DataLocation data;

  private @Nullable Integer followed;
  private final ClusterRun.Executor clusters;

  /**
   * @param clusters follows Jobs of clusters
   */
  public RerunCommand(Console console, ClusterRun.Executor clusters) {
    super(console);
    this.clusters = clusters;
  }

  @Override
  public ExitCode run(JobsTarget target) {
    KubeObject ended = target.job(job);
    Set<String> names =
        ApiCalls.await(target.cluster().list(Kind.JOB, ended.namespace())).items().stream()
            .map(KubeObject::name)
            .collect(Collectors.toSet());
    String chosen = name == null ? Rerun.name(ended.name(), names::contains) : name;
    Rerun rerun = rerun(ended, chosen);
    if (dryRun) {
      console.out().print(YamlWriter.text(rerun.document()));
      return ExitCode.OK;
    }
    RequestedJob requested = requested(rerun.document());
    Optional<KubeCluster> far =
        format == ReportFormat.name ? Optional.empty() : target.farCluster();
    boolean follows = (target.runsHere() || far.isPresent()) && !notNow;
    KubeObject made =
        rerun.create(target.cluster(), follows ? requested.toCreate().copy() : rerun.document());
    if (follows) {
      toRun = requested;
      data = target.data().orElse(null);
    }
    report(made, rerun);
    if (follows) {
      far.ifPresent(cluster -> followed = clusters.run(run(target, cluster, requested)));
    }
    return ExitCode.OK;
  }

  private ClusterRun run(JobsTarget target, KubeCluster cluster, RequestedJob requested) {
    return new ClusterRun(
        cluster,
        target.timers(),
        "",
        target.flags(),
        target.namespace(),
        requested.namespace(),
        List.of(requested),
        List.of(),
        ExistingJobs.CONTINUE,
        FollowOptions.of(outputFormat()));
  }

  private OutputFormat outputFormat() {
    return format == ReportFormat.json ? OutputFormat.json : OutputFormat.text;
  }

  private Rerun rerun(KubeObject ended, String chosen) {
    try {
      return Rerun.of(ended, which.failed ? null : which.indexes, chosen);
    } catch (JobException refusal) {
      throw new UserException(String.valueOf(refusal.getMessage()));
    }
  }

  private void report(KubeObject made, Rerun rerun) {
    String what =
        "%s: reruns %s of %s and keeps %s"
            .formatted(
                made.name(),
                DisplayText.namedIndexes(rerun.indexes(), 60),
                JobsTarget.name(job),
                DisplayText.count(rerun.kept().size(), "success", "successes"));
    if (toRun != null) {
      console.say(what);
      return;
    }
    new ReportPrinter(console)
        .print(format, () -> List.of(what), made::tree, () -> List.of("job.batch/" + made.name()));
  }

  /** Runs the Job to its end, now that the data directory is free again. */
  @Override
  public int finish(ExitCode status) {
    if (followed != null) {
      return followed;
    }
    RequestedJob requested = toRun;
    DataLocation at = data;
    if (requested == null || at == null) {
      return status.status();
    }
    NodeOptions node = new NodeOptions();
    PodOptions pods = node.pods(InheritedNames.ALL);
    MachineOptions machine =
        new MachineOptions(
            at,
            RuntimeKind.process,
            node.mostPods(RuntimeKind.process),
            node.store(),
            encryption(),
            pods,
            ControllerOptions.defaults(),
            pods.surroundings(console.environment()),
            List.of());
    RunSession.Options options =
        new RunSession.Options(
            machine, ExistingJobs.CONTINUE, List.of(), FollowOptions.of(outputFormat()));
    try (RunSession session = RunSession.open(console, options, List.of(requested))) {
      return session.run();
    }
  }

  private static RequestedJob requested(ObjectNode document) {
    try {
      return RequestedJob.of(Documents.read("the new Job", Json.bytes(document)).getFirst());
    } catch (DocumentSyntaxException ours) {
      throw new IllegalStateException(ours);
    }
  }
}
