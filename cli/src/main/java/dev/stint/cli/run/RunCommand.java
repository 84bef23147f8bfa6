package dev.stint.cli.run;

import dev.stint.cli.follow.FollowOptions;
import dev.stint.cli.list.EachOptions;
import dev.stint.cli.list.ListJob;
import dev.stint.cli.location.ChosenTarget;
import dev.stint.cli.location.ClusterConnections;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.OutputFormat;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.ControllerOptions;
import dev.stint.cli.plane.NodeOptions;
import dev.stint.cli.plane.PodOptions;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.cli.share.MachineOptions;
import dev.stint.cli.submit.ExistingJobs;
import dev.stint.cli.submit.InputDigests;
import dev.stint.cli.submit.RequestedInput;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.embedded.ThreadTimers;
import dev.stint.kube.KubeCluster;
import dev.stint.model.document.Document;
import dev.stint.model.document.YamlWriter;
import dev.stint.runner.process.user.InheritedNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code stint run FILE...}: runs Jobs on this machine and ends with their outcome. */
@Command(
    name = "run",
    description = {
      "Run Jobs from files on this machine and exit with their outcome.",
      "With --kubeconfig, --context or $$KUBECONFIG: run them on that cluster. Ctrl-C then asks",
      "whether they go on, and leaves them running if there is no terminal.",
      "Exit status: 0 Complete, 1 Failed, 2 invalid input, 124 --timeout passed, 130 Ctrl-C.",
      "The same command again resumes an interrupted Job, and runs those lines of a list that have",
      "not succeeded (--fresh: all). A finished Job of a file starts anew.",
      "ConfigMaps and Secrets in the same files are created before the Jobs. On a cluster, they,",
      "ServiceAccounts, Services and PersistentVolumeClaims are applied before the Jobs."
    })
public final class RunCommand implements Callable<Integer> {
  private final Console console;
  private final ClusterRun.Executor clusters;

  @Spec @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description =
          "YAML or JSON file, or - for standard input. With --each: the words of the command.")
  List<String> files = List.of();

  @Mixin EachOptions each = new EachOptions();

  @Option(
      names = "--runtime",
      paramLabel = "process|container|simulated",
      completionCandidates = RuntimeKind.OfRun.class,
      description =
          "How to run pods: as processes, in containers, or simulated (default: process).")
  RuntimeKind runtime = RuntimeKind.process;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description =
          "Stop after this time, as Ctrl-C does, with exit status 124. On a cluster, the Jobs go on.")
  @Nullable Duration timeout;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml",
      description =
          "Output format. json and yaml print the final Job on standard output, or a List "
              + "of several Jobs (default: text).")
  OutputFormat output = OutputFormat.text;

  @Option(
      names = {"-f", "--follow"},
      description = "Print the logs as they are written, each line with its index and attempt.")
  boolean follow;

  @Option(names = "--fail-fast", description = "Stop all Jobs as soon as one has failed.")
  boolean failFast;

  @Option(
      names = "--report",
      paramLabel = "FILE.xml",
      description =
          "Write a report in JUnit's XML format: a suite for each Job, a test case for each "
              + "index.")
  @Nullable Path report;

  @Option(
      names = "--replace",
      description =
          "Replace an unfinished Job of the same name that was created from another document.")
  boolean replace;

  @Option(
      names = "--fresh",
      description =
          "Start every Job anew, even if it is unfinished, and run all lines of a list again, also "
              + "those that have succeeded.")
  boolean fresh;

  @Mixin ClusterFlags cluster = new ClusterFlags();

  @Mixin NodeOptions node = new NodeOptions();

  @Mixin ControllerOptions controller = new ControllerOptions();

  /**
   * @param clusters carries out runs on clusters
   */
  public RunCommand(Console console, ClusterRun.Executor clusters) {
    this.console = console;
    this.clusters = clusters;
  }

  @Override
  public Integer call() {
    controller.check();
    if (each.isRequested()) {
      EachOptions.checkCommand(files);
    } else {
      checkFiles();
    }
    return switch (cluster.target(node.data(), console.environment())) {
      case ChosenTarget.Data(DataLocation data) -> runHere(data);
      case ChosenTarget.Far far -> runOn(far);
    };
  }

  private int runHere(DataLocation data) {
    ClusterFlags.checkHere(parsed());
    if (runtime == RuntimeKind.none) {
      throw new UserException("--runtime none is only for stint up; no pod would ever run");
    }
    int mostPods = node.mostPods(runtime);
    List<RequestedJob> jobs;
    List<RequestedInput> inputs = List.of();
    if (each.isRequested()) {
      ListJob made =
          each.job(files, runtime == RuntimeKind.process ? workingDirectory() : null, console);
      RequestedJob job = requested(made, reader());
      if (each.isDryRun()) {
        if (runtime != RuntimeKind.simulated) {
          new ResourceRefusals(machine(data, mostPods).pods().machine()).check(List.of(job));
        }
        return print(job);
      }
      jobs = List.of(job);
    } else {
      List<Document> documents = reader().read(files);
      inputs = documents.stream().flatMap(each -> RequestedInput.of(each).stream()).toList();
      jobs = jobs(documents).map(new InputDigests(inputs)::noted).toList();
    }
    sayNotes(jobs, mostPods);
    RunSession.Options options =
        new RunSession.Options(machine(data, mostPods), existing(), inputs, following());
    try (RunSession session = RunSession.open(console, options, jobs)) {
      if (runtime != RuntimeKind.simulated) {
        session.refuseWhatNeverFits();
      }
      return session.run();
    }
  }

  private void sayNotes(List<RequestedJob> jobs, int mostPods) {
    if (runtime == RuntimeKind.process) {
      LimitsNote.of(jobs).ifPresent(console::say);
    }
    jobs.forEach(job -> ParallelismNote.of(job, mostPods).ifPresent(console::say));
    ExpiryNote.of(jobs).ifPresent(console::say);
  }

  private ExistingJobs existing() {
    return fresh ? ExistingJobs.FRESH : replace ? ExistingJobs.REPLACE : ExistingJobs.CONTINUE;
  }

  private void checkFiles() {
    EachOptions.checkNotRequested(parsed());
    if (files.isEmpty()) {
      throw new UserException("name a file with Jobs, - for standard input, or a list with --each");
    }
  }

  private RequestedJob requested(ListJob made, RequestReader reader) {
    made.warnings().forEach(warning -> console.say("warning: " + warning));
    return reader.read(made);
  }

  private int print(RequestedJob job) {
    job.companionDocuments().forEach(list -> console.out().print(YamlWriter.text(list) + "---\n"));
    console.out().print(YamlWriter.text(job.tree()));
    return ExitCode.OK.status();
  }

  private int runOn(ChosenTarget.Far far) {
    checkOnCluster(far);
    FollowOptions following = following();
    try (ThreadTimers timers = new ThreadTimers();
        KubeCluster found = ClusterConnections.open(far, timers)) {
      String given = cluster.namespace();
      String namespace = given == null ? found.namespace() : given;
      RequestReader reader =
          new RequestReader(
              console, controller.featureGates(), _ -> List.of(), _ -> List.of(), true);
      List<Document> documents = each.isRequested() ? List.of() : reader.read(files);
      InputDigests inputs =
          new InputDigests(
              documents.stream()
                  .flatMap(each -> RequestedInput.of(each, namespace).stream())
                  .toList());
      List<RequestedJob> jobs =
          (each.isRequested() ? Stream.of(listJob(reader)) : jobs(documents))
              .map(job -> job.onCluster(namespace, cluster.managedBy()))
              .map(inputs::noted)
              .toList();
      if (each.isRequested() && each.isDryRun()) {
        return print(jobs.getFirst());
      }
      return clusters.run(
          new ClusterRun(
              found,
              timers,
              far.origin(),
              cluster.flags(),
              found.namespace(),
              namespace,
              jobs,
              documents.stream().filter(document -> !RequestedJob.isJob(document)).toList(),
              existing(),
              following));
    }
  }

  /** Returns the Job of the list that the command names. */
  private RequestedJob listJob(RequestReader reader) {
    return requested(each.jobOnCluster(files, console), reader);
  }

  private static Stream<RequestedJob> jobs(List<Document> documents) {
    return documents.stream().filter(RequestedJob::isJob).map(RequestedJob::of);
  }

  private ParseResult parsed() {
    return Objects.requireNonNull(spec).commandLine().getParseResult();
  }

  /** Rejects flags about this machine. */
  private void checkOnCluster(ChosenTarget.Far far) {
    CommandSpec own = Objects.requireNonNull(spec);
    for (OptionSpec option : parsed().matchedOptions()) {
      String name = option.longestName();
      if (name.equals("--runtime") || isOf(own, "node", name) || isOf(own, "controller", name)) {
        throw new UserException(
            "%s is about this machine, but %s names a cluster%s"
                .formatted(
                    name,
                    far.origin(),
                    far.implied() ? ChosenTarget.hint() : "; remove one of them"));
      }
    }
  }

  /** True if a field of this class that is a mixin has an option. */
  private static boolean isOf(CommandSpec own, String mixin, String option) {
    return Objects.requireNonNull(own.mixins().get(mixin)).optionsMap().containsKey(option);
  }

  private MachineOptions machine(DataLocation data, int mostPods) {
    PodOptions pods = pods().withDaemon(runtime, console.environment());
    data.create();
    return new MachineOptions(
        data,
        runtime,
        mostPods,
        node.store(),
        node.encryption().configuration(),
        pods,
        controller,
        pods.surroundings(console.environment()),
        MachineFlags.named(Objects.requireNonNull(spec).commandLine().getParseResult()));
  }

  /** Returns the permissions of pods, which inherit the whole environment of who runs them. */
  private PodOptions pods() {
    return node.pods(InheritedNames.ALL);
  }

  /** Returns how the Jobs are followed; rejects flags that make no sense together. */
  private FollowOptions following() {
    if (follow && output != OutputFormat.text) {
      throw new UserException(
          "--follow prints logs on standard output, as -o " + output + " does; remove one of them");
    }
    Path file = report;
    if (file != null) {
      checkReport(file);
    }
    return new FollowOptions(timeout, output, follow, failFast, file, true);
  }

  /** Refuses a file that could not be written in the end. */
  private static void checkReport(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    if (parent == null || !Files.isDirectory(parent) || Files.isDirectory(file)) {
      throw new UserException("--report " + file + ": is not a file in an existing directory");
    }
    if (!Files.isWritable(Files.exists(file) ? file : parent)) {
      throw new UserException("--report " + file + ": you may not write it");
    }
  }

  private static Path workingDirectory() {
    return Path.of("").toAbsolutePath();
  }

  private RequestReader reader() {
    RunRefusals refusals = new RunRefusals(runtime, pods());
    return new RequestReader(
        console, controller.featureGates(), refusals::of, new NameWarnings(runtime)::of, false);
  }
}
