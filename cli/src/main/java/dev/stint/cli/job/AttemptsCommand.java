package dev.stint.cli.job;

import dev.stint.cli.flag.ByteSizeConverter;
import dev.stint.cli.flag.DurationConverter;
import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.location.TargetCommand;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.ReportFormat;
import dev.stint.cli.output.ReportPrinter;
import dev.stint.jobs.DisplayText;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.model.Json;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stint attempts JOB}: lists all attempts, one per line. */
@Command(
    name = "attempts",
    description = {
      "List the attempts of a Job with their start, duration, outcome and log size.",
      "Attempts on this machine are listed even after the pods and the Job are deleted."
    },
    footer = {"", "Example:", "  stint attempts hello --failed --index 3,7-9"})
public final class AttemptsCommand extends TargetCommand {
  @Parameters(paramLabel = "JOB", description = "Name of the Job.")
  private String job = "";

  @Mixin private AttemptOptions attempts = new AttemptOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml|name",
      description = "Output format; name prints the names of the pods (default: text).")
  private ReportFormat format = ReportFormat.text;

  public AttemptsCommand(Console console) {
    super(console);
  }

  @Override
  public void check() {
    attempts.check();
  }

  @Override
  public ExitCode run(JobsTarget target) throws IOException {
    List<ContainerAttemptView> found = attempts.find(target, job);
    Instant now = clock.instant();
    if (found.isEmpty() && format == ReportFormat.text) {
      console.say(JobsTarget.name(job) + ": no such attempts");
      return ExitCode.OK;
    }
    ReportPrinter printer = new ReportPrinter(console);
    printer.print(
        format,
        () -> text(printer, found, now),
        () -> json(found, now),
        () -> found.stream().map(each -> "pod/" + each.pod()).distinct().toList());
    return ExitCode.OK;
  }

  static List<String> text(
      ReportPrinter printer, List<ContainerAttemptView> attempts, Instant now) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "INDEX",
            "ATTEMPT",
            "CONTAINER",
            "STARTED",
            "TOOK",
            "STATE",
            "EXIT",
            "LOG",
            "POD",
            "REASON"));
    attempts.forEach(each -> rows.add(row(each, now)));
    return printer.table(
        rows,
        (row, column, cell) -> column == 5 ? in(printer, attempts.get(row).state(), cell) : cell);
  }

  private static List<String> row(ContainerAttemptView attempt, Instant now) {
    Duration took = attempt.duration(now);
    Instant start = attempt.startedAt();
    return List.of(
        attempt.index() == null ? "-" : attempt.index().toString(),
        Integer.toString(attempt.number()),
        attempt.container(),
        start == null ? "-" : start.toString(),
        took == null ? "-" : DurationConverter.took(took),
        attempt.stateName(),
        attempt.exitCode() == null ? "-" : attempt.exitCode().toString(),
        attempt.logBytes() == null ? "-" : ByteSizeConverter.brief(attempt.logBytes()),
        attempt.pod(),
        DisplayText.cut(attempt.explanation(), 60));
  }

  private static String in(ReportPrinter printer, ContainerAttemptView.State state, String cell) {
    return switch (state) {
      case SUCCEEDED -> printer.good(cell);
      case FAILED -> printer.bad(cell);
      case UNKNOWN -> printer.odd(cell);
      case WAITING, RUNNING, STOPPED -> cell;
    };
  }

  static JsonNode json(List<ContainerAttemptView> attempts, Instant now) {
    ObjectNode tree = Json.object();
    ArrayNode list = tree.putArray("attempts");
    attempts.forEach(each -> list.add(each.json(now)));
    return tree;
  }
}
