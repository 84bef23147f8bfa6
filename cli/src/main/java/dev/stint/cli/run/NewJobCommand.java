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
import dev.stint.kube.KubeCluster;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.document.DocumentSyntaxException;
import dev.stint.model.document.Documents;
import dev.stint.model.document.YamlWriter;
import dev.stint.runner.process.user.InheritedNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/**
 * A command that creates a Job from an object that exists, and follows it. The Job runs here if no
 * {@code up} uses the data directory.
 */
abstract class NewJobCommand extends TargetCommand {
  @Option(
      names = "--no-run",
      description = "Create the new Job, but neither run it here nor follow it.")
  boolean notNow;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description =
          "Stop after this time, as Ctrl-C does, with exit status 124. On a cluster and on stint "
              + "up, the Job goes on; it is followed there, too.")
  @Nullable Duration timeout;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml|name",
      description = "Output format (default: text).")
  ReportFormat format = ReportFormat.text;

  private @Nullable RequestedJob toRun;
  private @Nullable DataLocation data;

  private @Nullable Integer followed;
  private final ClusterRun.Executor clusters;

  /**
   * @param clusters follows Jobs of clusters
   */
  NewJobCommand(Console console, ClusterRun.Executor clusters) {
    super(console);
    this.clusters = clusters;
  }

  /**
   * A Job that does not exist yet.
   *
   * @param description what it is, in words that follow its name
   * @param creation creates it from its document, to which annotations may have been added
   * @param ahead true if it is created by that in any case; false if it may also be created as any
   *     other Job that is run
   */
  record NewJob(
      ObjectNode document,
      String description,
      Function<ObjectNode, KubeObject> creation,
      boolean ahead) {}

  /**
   * Returns the Job to create.
   *
   * @throws UserException if there is nothing to create it from
   */
  abstract NewJob newJob(JobsTarget target);

  /** True if the Job is only printed. */
  abstract boolean isDryRun();

  /** True if the logs are printed. Then the Job is followed, wherever it runs. */
  boolean isFollowing() {
    return false;
  }

  @Override
  public void check() {
    refuse(isFollowing() && notNow, "--follow and --no-run");
    refuse(isFollowing() && isDryRun(), "--follow and --dry-run");
    refuse(timeout != null && notNow, "--timeout and --no-run");
    refuse(timeout != null && isDryRun(), "--timeout and --dry-run");
    refuse(timeout != null && format == ReportFormat.name, "--timeout and -o name");
    if (isFollowing() && format != ReportFormat.text) {
      throw new UserException(
          "--follow prints logs on standard output, as -o " + format + " does; remove one of them");
    }
  }

  private static void refuse(boolean both, String flags) {
    if (both) {
      throw new UserException(flags + " exclude each other; remove one of them");
    }
  }

  @Override
  public ExitCode run(JobsTarget target) {
    NewJob job = newJob(target);
    if (isDryRun()) {
      console.out().print(YamlWriter.text(job.document()));
      return ExitCode.OK;
    }
    RequestedJob requested = requested(job.document());
    Optional<KubeCluster> served =
        format == ReportFormat.name
            ? Optional.empty()
            : isFollowing() || timeout != null ? target.remote() : target.farCluster();
    boolean follows = (target.runsHere() || served.isPresent()) && !notNow;
    KubeObject made =
        follows && !job.ahead()
            ? KubeObject.of(job.document())
            : job.creation().apply(follows ? requested.toCreate().copy() : job.document());
    if (follows) {
      toRun = requested;
      data = target.data().orElse(null);
    }
    report(made, job);
    if (follows) {
      served.ifPresent(cluster -> followed = clusters.run(run(target, cluster, requested)));
    }
    return ExitCode.OK;
  }

  /** Returns the names of the Jobs in a namespace. */
  static Set<String> names(JobsTarget target, String namespace) {
    return ApiCalls.await(target.cluster().list(Kind.JOB, namespace)).items().stream()
        .map(KubeObject::name)
        .collect(Collectors.toSet());
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
        following());
  }

  private FollowOptions following() {
    OutputFormat inTheEnd =
        switch (format) {
          case json -> OutputFormat.json;
          case yaml -> OutputFormat.yaml;
          case text, name -> OutputFormat.text;
        };
    return new FollowOptions(timeout, inTheEnd, isFollowing(), false, null, false);
  }

  private void report(KubeObject made, NewJob job) {
    String what = made.name() + ": " + job.description();
    if (toRun != null) {
      console.say(what);
    }
    if (toRun == null || format == ReportFormat.name) { // The other formats are of its end.
      new ReportPrinter(console)
          .print(
              format, () -> List.of(what), made::tree, () -> List.of("job.batch/" + made.name()));
    }
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
        new RunSession.Options(machine, ExistingJobs.CONTINUE, List.of(), following());
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
