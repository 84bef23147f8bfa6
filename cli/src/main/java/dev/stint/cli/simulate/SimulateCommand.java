package dev.stint.cli.simulate;

import dev.stint.cli.file.JobFiles;
import dev.stint.cli.file.ServiceOrClaim;
import dev.stint.cli.flag.ProbabilityConverter;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.OutputFormat;
import dev.stint.cli.output.UserException;
import dev.stint.cli.submit.RequestedInput;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.Names;
import dev.stint.model.document.Document;
import dev.stint.model.document.YamlWriter;
import dev.stint.model.field.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code stint simulate FILE}: predicts the outcome of a Job, without running it. */
@Command(
    name = "simulate",
    description = {
      "Predict the outcome of a Job with simulated pods and simulated time.",
      "The API and the Job controller are real.",
      "Each attempt of a pod runs for a time drawn from --duration, and fails with the",
      "probability --failure, independently of all others. The same seed gives the "
          + "same result."
    })
public final class SimulateCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      paramLabel = "FILE",
      description =
          "YAML or JSON file with one Job and the ConfigMaps and Secrets that it uses, or "
              + "- for standard input.")
  private String file = "";

  @Option(
      names = "--failure",
      paramLabel = "P",
      defaultValue = "0",
      description =
          "Probability that an attempt fails, 0 to 1 or 0%% to 100%% (default: "
              + "${DEFAULT-VALUE}).",
      converter = ProbabilityConverter.class)
  private double failure;

  @Option(
      names = "--duration",
      paramLabel = "DURATION",
      defaultValue = "30s",
      description =
          "Run time of each attempt, such as 90s. 30s±10s (or 30s+-10s) is uniformly "
              + "distributed from 20s to 40s. Failed attempts take as long as others (default: "
              + "${DEFAULT-VALUE}).",
      converter = UniformDurationConverter.class)
  private UniformDuration duration =
      new UniformDuration(java.time.Duration.ZERO, java.time.Duration.ZERO);

  @Option(
      names = "--exit-code",
      paramLabel = "N",
      defaultValue = "1",
      description = "Exit code of failed attempts, 1 to 255 (default: ${DEFAULT-VALUE}).")
  private int exitCode;

  @Option(
      names = "--max-pods",
      paramLabel = "N",
      description =
          "Maximum number of pods that run at once; other pods wait (default: unlimited).")
  private int maxPods = Integer.MAX_VALUE;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of all random numbers (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Number of runs. Several runs print the share that is Complete, and the 50th, "
              + "90th and 99th percentiles (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml",
      description = "Output format (default: text).")
  private OutputFormat output = OutputFormat.text;

  public SimulateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (runs < 1 || maxPods < 1) {
      throw new UserException("--runs and --max-pods must be at least 1");
    }
    if (exitCode < 1 || exitCode > 255) {
      throw new UserException("--exit-code must be 1 to 255");
    }
    RequestedJob job = null;
    List<ObjectNode> inputs = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    for (Document document : JobFiles.read(file, console)) {
      List<FieldError> wrong = JobFiles.faults(document, FeatureGates.DEFAULT);
      wrong.forEach(fault -> faults.add(document.describe(fault)));
      Optional<RequestedInput> input = RequestedInput.of(document);
      if (document.object().kindName().equals(Kind.JOB.kind())) {
        faults.addAll(
            job == null
                ? refusals(document)
                : List.of(at(document) + "kind: a second Job; stint simulate accepts one"));
        job = RequestedJob.of(document);
      } else if (input.isPresent()) {
        inputs.add(input.get().tree());
      } else if (!ServiceOrClaim.isOne(document)) {
        faults.add(
            at(document)
                + "kind: "
                + document.object().kindName()
                + " is not supported; stint simulate accepts a Job");
      }
    }
    if (job == null && faults.isEmpty()) {
      faults.add(file + ": contains no Job");
    }
    if (job == null || !faults.isEmpty()) {
      throw new UserException(ExitCode.USAGE, faults);
    }
    PodModel model = new PodModel(failure, duration, exitCode);
    Simulation simulation = new Simulation(job.tree(), inputs, model, maxPods);
    print(new SimulationReport(named(job), seed, simulation.runs(seed, runs)));
    return ExitCode.OK.status();
  }

  private static String at(Document document) {
    return document.sourceName() + ":" + document.line() + ": ";
  }

  private static String named(RequestedJob job) {
    String name = job.name().isEmpty() ? "without a name" : job.name();
    return job.namespace() + "/" + name;
  }

  /** Returns the reasons why a valid Job would never end here. */
  private static List<String> refusals(Document document) {
    RequestedJob job = RequestedJob.of(document);
    List<String> refusals = new ArrayList<>();
    if (Boolean.TRUE.equals(Json.bool(job.tree().get("spec"), "suspend"))) {
      refusals.add(at(document) + "spec.suspend: must be false; nothing would resume the Job");
    }
    Integer parallelism = Json.integer(job.tree().get("spec"), "parallelism");
    if (parallelism != null && parallelism == 0) {
      refusals.add(at(document) + "spec.parallelism: must be more than 0; no pod would ever run");
    }
    if (!job.managedBy().equals(Names.BUILT_IN_CONTROLLER)) {
      refusals.add(
          at(document)
              + "spec.managedBy: "
              + job.managedBy()
              + " is not simulated; remove the field");
    }
    return refusals;
  }

  private void print(SimulationReport report) {
    switch (output) {
      case text -> report.lines().forEach(console.out()::println);
      case json -> console.out().println(Json.pretty(report.json()));
      case yaml -> console.out().print(YamlWriter.text(report.json()));
    }
  }
}
