package dev.stint.cli.simulate;

import dev.stint.cli.flag.FlagRange;
import dev.stint.cli.flag.ProbabilityConverter;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.OutputFormat;
import dev.stint.cli.output.UserException;
import dev.stint.cli.simulate.outcome.ModelCalibration;
import dev.stint.cli.simulate.outcome.OutcomeModel;
import dev.stint.cli.simulate.outcome.PodModel;
import dev.stint.cli.simulate.outcome.UniformDuration;
import dev.stint.cli.simulate.outcome.UniformDurationConverter;
import dev.stint.model.Json;
import dev.stint.model.document.YamlWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stint simulate FILE...}: predicts the outcome of Jobs, without running them. */
@Command(
    name = "simulate",
    description = {
      "Predict the outcome of Jobs with simulated pods and simulated time.",
      "The API, the Job controller and the admission of pods are real.",
      "Each attempt of a pod runs for a time drawn from --duration, and fails with the",
      "probability --failure, independently of all others; with --like, it does what an attempt "
          + "of an earlier Job did. The same seed gives the same result."
    },
    footer = {
      "",
      "Examples:",
      "  stint simulate report.yaml --like report --runs 200",
      "  stint simulate report.yaml --like report --compare parallelism=8,backoffLimitPerIndex=2",
      "  stint simulate a.yaml b.yaml --machine-cpu 4 --svg waits.svg"
    })
public final class SimulateCommand implements Callable<Integer> {
  private static final int SEVERAL = 100;

  private final Console console;

  @Spec @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "YAML or JSON files with Jobs, which are created at once in their order, and the "
              + "ConfigMaps and Secrets that they use, or - for standard input.")
  List<String> files = List.of();

  @Option(
      names = "--failure",
      paramLabel = "P",
      defaultValue = "0",
      description =
          "Probability that an attempt fails, 0 to 1 or 0%% to 100%% (default: "
              + "${DEFAULT-VALUE}).",
      converter = ProbabilityConverter.class)
  double failure;

  @Option(
      names = "--duration",
      paramLabel = "DURATION",
      defaultValue = "30s",
      description =
          "Run time of each attempt, such as 90s. 30s±10s (or 30s+-10s) is uniformly "
              + "distributed from 20s to 40s. Failed attempts take as long as others (default: "
              + "${DEFAULT-VALUE}).",
      converter = UniformDurationConverter.class)
  UniformDuration duration = new UniformDuration(Duration.ZERO, Duration.ZERO);

  @Option(
      names = "--exit-code",
      paramLabel = "N",
      defaultValue = "1",
      description = "Exit code of failed attempts, 1 to 255 (default: ${DEFAULT-VALUE}).")
  int exitCode;

  @Mixin LikeOptions like = new LikeOptions();

  @Mixin CapacityOptions capacity = new CapacityOptions();

  @Option(
      names = "--compare",
      paramLabel = "FIELD=VALUE[,...]|FILE",
      description =
          "Simulate a second policy, too, and show the difference: other values of fields of the "
              + "Jobs' spec, such as parallelism=8 (null removes a field), of max-pods, "
              + "machine-cpu, machine-memory or nodes, or another file in place of FILE.")
  @Nullable String compare;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of all random numbers (default: ${DEFAULT-VALUE}).")
  long seed;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description =
          "Number of runs. Several runs print the share that is Complete, and percentiles "
              + "(default: 1, or 100 for several Jobs or with --like, --compare or --svg).")
  @Nullable Integer runs;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Draw the distribution of the wall time to this file.")
  @Nullable Path svg;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml",
      description = "Output format (default: text).")
  OutputFormat output = OutputFormat.text;

  public SimulateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    check();
    Policy policy =
        new Policy("as given", WorkloadReader.read(files, console), capacity.capacity());
    Policy first = policy.checked(String.join(", ", files));
    Policy second = compare == null ? null : second(first, compare);
    first.warning().ifPresent(console::say);
    Likes likes = like.find(first.workload(), console);
    checkAssumed(likes, first, second);
    likes.all().forEach(each -> each.warning().ifPresent(console::say));
    SimulationOutput result = simulate(likes, first, second);
    print(result, likes);
    draw(result);
    return ExitCode.OK.status();
  }

  private void check() {
    FlagRange.atLeastOne("--runs", runs);
    if (exitCode < 1 || exitCode > 255) {
      throw new UserException("--exit-code must be 1 to 255");
    }
    if (svg != null) {
      Path directory = svg.toAbsolutePath().getParent();
      if (Files.isDirectory(svg) || directory == null || !Files.isDirectory(directory)) {
        throw new UserException("--svg " + svg + ": name a file in an existing directory");
      }
    }
  }

  /** Returns the second policy of a comparison. */
  private Policy second(Policy first, String text) {
    PolicyChange change = PolicyChange.parse(text);
    Policy second =
        change == null
            ? new Policy(text, WorkloadReader.read(List.of(text), console), first.room())
            : new Policy(text, change.apply(first.workload()), change.apply(first.room()));
    return second.checked("--compare " + text);
  }

  /** Rejects flags about assumed outcomes if none is assumed. */
  private void checkAssumed(Likes likes, Policy first, @Nullable Policy second) {
    if (!likes.coverAll(first.workload().names())
        || second != null && !likes.coverAll(second.workload().names())) {
      return;
    }
    for (String flag : List.of("--failure", "--duration", "--exit-code")) {
      if (Objects.requireNonNull(spec).commandLine().getParseResult().hasMatchedOption(flag)) {
        throw new UserException(
            flag + " has no effect, since --like says how attempts end; remove one of them");
      }
    }
  }

  private SimulationOutput simulate(Likes likes, Policy first, @Nullable Policy second) {
    OutcomeModel assumed = new PodModel(failure, duration, exitCode);
    boolean single =
        first.jobs().size() == 1 && second == null && svg == null && likes.all().isEmpty();
    int count = runs != null ? runs : single ? 1 : SEVERAL;
    return new SimulationOutput(
        first,
        runs(first, likes, assumed, count),
        second,
        runs(second, likes, assumed, count),
        seed);
  }

  private List<RunResult> runs(
      @Nullable Policy policy, Likes likes, OutcomeModel assumed, int count) {
    return policy == null
        ? List.of()
        : new Simulation(policy.workload(), likes.models(assumed), policy.room()).runs(seed, count);
  }

  private void print(SimulationOutput result, Likes likes) {
    switch (output) {
      case text -> {
        likes.all().stream().map(ModelCalibration::line).forEach(console.out()::println);
        result.lines().forEach(console.out()::println);
      }
      case json -> console.out().println(Json.pretty(json(result, likes)));
      case yaml -> console.out().print(YamlWriter.text(json(result, likes)));
    }
  }

  private static ObjectNode json(SimulationOutput result, Likes likes) {
    ObjectNode tree = result.json();
    if (!likes.all().isEmpty()) {
      ArrayNode list = tree.putArray("like");
      likes.all().forEach(each -> list.add(each.json()));
    }
    return tree;
  }

  private void draw(SimulationOutput result) {
    if (svg != null) {
      try {
        Files.writeString(svg, result.picture().svg());
      } catch (IOException fault) {
        throw new UserException("--svg " + svg + ": cannot be written: " + fault.getMessage());
      }
    }
  }
}
