package dev.stint.cli.run;

import dev.stint.cli.file.JobFiles;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.OutputFormat;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.ControllerOptions;
import dev.stint.cli.plane.NodeOptions;
import dev.stint.cli.plane.PodOptions;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.cli.share.MachineOptions;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.document.Document;
import dev.stint.model.document.DocumentSyntaxException;
import dev.stint.model.document.Documents;
import dev.stint.model.document.YamlWriter;
import dev.stint.model.field.FieldError;
import dev.stint.runner.process.user.InheritedNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stint run FILE...}: runs Jobs on this machine and ends with their outcome. */
@Command(
    name = "run",
    description = {
      "Run Jobs from files on this machine and exit with their outcome.",
      "Exit status: 0 Complete, 1 Failed, 2 invalid input, 124 --timeout passed, 130 Ctrl-C.",
      "The same command again resumes an interrupted Job, and runs those lines of a list that have",
      "not succeeded (--fresh: all). A finished Job of a file starts anew.",
      "ConfigMaps and Secrets in the same files are created before the Jobs."
    })
public final class RunCommand implements Callable<Integer> {
  private final Console console;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description =
          "YAML or JSON file, or - for standard input. With --each: the words of the command.")
  private List<String> files = List.of();

  @Mixin private EachOptions each = new EachOptions();

  @Option(
      names = "--runtime",
      paramLabel = "process|container|simulated",
      description =
          "How to run pods: as processes, in containers, or simulated (default: process).")
  private RuntimeKind runtime = RuntimeKind.process;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "Stop after this time, as Ctrl-C does, with exit status 124.")
  private @Nullable Duration timeout;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml",
      description =
          "Output format. json and yaml print the final Job on standard output, or a List "
              + "of several Jobs (default: text).")
  private OutputFormat output = OutputFormat.text;

  @Option(
      names = {"-f", "--follow"},
      description = "Print the logs as they are written, each line with its index and attempt.")
  private boolean follow;

  @Option(names = "--fail-fast", description = "Stop all Jobs as soon as one has failed.")
  private boolean failFast;

  @Option(
      names = "--report",
      paramLabel = "FILE.xml",
      description =
          "Write a report in JUnit's XML format: a suite for each Job, a test case for each "
              + "index.")
  private @Nullable Path report;

  @Option(
      names = "--replace",
      description =
          "Replace an unfinished Job of the same name that was created from another document.")
  private boolean replace;

  @Option(
      names = "--fresh",
      description =
          "Start every Job anew, even if it is unfinished, and run all lines of a list again, also "
              + "those that have succeeded.")
  private boolean fresh;

  @Mixin private NodeOptions node = new NodeOptions();

  @Mixin private ControllerOptions controller = new ControllerOptions();

  public RunCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    controller.check();
    if (runtime == RuntimeKind.none) {
      throw new UserException("--runtime none is only for stint up; no pod would ever run");
    }
    int mostPods = node.mostPods(runtime);
    Request request;
    if (each.isRequested()) {
      EachJob made =
          each.job(files, runtime == RuntimeKind.process ? workingDirectory() : null, console);
      made.warnings().forEach(warning -> console.say("warning: " + warning));
      if (each.isDryRun()) {
        made.lists().forEach(list -> console.out().print(YamlWriter.text(list) + "---\n"));
        console.out().print(YamlWriter.text(made.job()));
        return ExitCode.OK.status();
      }
      request = new Request(List.of(requested(made)), List.of());
    } else {
      EachOptions.checkNotRequested(Objects.requireNonNull(spec).commandLine().getParseResult());
      if (files.isEmpty()) {
        throw new UserException(
            "name a file with Jobs, - for standard input, or a list with --each");
      }
      request = read();
    }
    if (runtime == RuntimeKind.process) {
      LimitsNote.of(request.jobs()).ifPresent(console::say);
    }
    request.jobs().forEach(job -> ParallelismNote.of(job, mostPods).ifPresent(console::say));
    RunSession.Options options =
        new RunSession.Options(
            machine(mostPods),
            timeout,
            fresh ? ExistingJobs.FRESH : replace ? ExistingJobs.REPLACE : ExistingJobs.CONTINUE,
            request.inputs(),
            output,
            reporting());
    try (RunSession session = RunSession.open(console, options, request.jobs())) {
      return session.run();
    }
  }

  private MachineOptions machine(int mostPods) {
    PodOptions pods = pods();
    return new MachineOptions(
        node.location(console.environment()),
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

  /** Returns what is told; rejects flags that make no sense together. */
  private RunSession.Reporting reporting() {
    if (follow && output != OutputFormat.text) {
      throw new UserException(
          "--follow prints logs on standard output, as -o " + output + " does; remove one of them");
    }
    Path file = report;
    if (file != null) {
      Path parent = file.toAbsolutePath().getParent();
      if (parent == null || !Files.isDirectory(parent) || Files.isDirectory(file)) {
        throw new UserException("--report " + file + ": is not a file in an existing directory");
      }
    }
    return new RunSession.Reporting(follow, failFast, file);
  }

  /** The objects that the files ask for. */
  private record Request(List<RequestedJob> jobs, List<RequestedInput> inputs) {}

  private static Path workingDirectory() {
    return Path.of("").toAbsolutePath();
  }

  /** Returns the Job of a list, as if it were in a file. */
  private RequestedJob requested(EachJob made) {
    try {
      Document document = Documents.read("--each", Json.bytes(made.job())).getFirst();
      RequestedJob job = RequestedJob.of(document, made);
      List<String> faults = new ArrayList<>();
      JobFiles.faults(document, controller.featureGates())
          .forEach(fault -> faults.add(document.describe(fault)));
      faults.addAll(faults.isEmpty() ? refusals().of(document) : List.of());
      if (!faults.isEmpty()) {
        throw new UserException(ExitCode.USAGE, faults);
      }
      return job;
    } catch (DocumentSyntaxException ours) {
      throw new IllegalStateException(ours);
    }
  }

  /** Reads all files; reports every fault of every document before anything starts. */
  private Request read() {
    List<String> faults = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    RunRefusals refusals = refusals();
    Request request = new Request(new ArrayList<>(), new ArrayList<>());
    for (String file : files) {
      for (Document document : JobFiles.read(file, console)) {
        List<FieldError> wrong = JobFiles.faults(document, controller.featureGates());
        wrong.forEach(fault -> faults.add(document.describe(fault)));
        if (wrong.isEmpty()) {
          faults.addAll(refusals.of(document));
          add(document, request);
          warnings.addAll(JobFiles.warnings(document, controller.featureGates()));
        }
      }
    }
    if (faults.isEmpty() && request.jobs().isEmpty()) {
      faults.add(String.join(", ", files) + ": contains no Job; stint run requires one");
    }
    if (!faults.isEmpty()) {
      throw new UserException(ExitCode.USAGE, faults);
    }
    warnings.forEach(console.err()::println);
    return request;
  }

  private static void add(Document document, Request request) {
    if (document.object().kindName().equals(Kind.JOB.kind())) {
      request.jobs().add(RequestedJob.of(document));
    }
    RequestedInput.of(document).ifPresent(request.inputs()::add);
  }

  private RunRefusals refusals() {
    return new RunRefusals(runtime, pods());
  }
}
