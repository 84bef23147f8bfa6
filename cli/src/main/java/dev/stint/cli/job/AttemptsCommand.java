package dev.stint.cli.job;

import dev.stint.cli.flag.ByteSizeConverter;
import dev.stint.cli.flag.DurationConverter;
import dev.stint.cli.location.CopyOptions;
import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.location.TargetCommand;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.ReportFormat;
import dev.stint.cli.output.ReportPrinter;
import dev.stint.jobs.DisplayText;
import dev.stint.jobs.JobItems;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import dev.stint.model.item.ItemText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
  String job = "";

  @Mixin AttemptOptions attempts = new AttemptOptions();

  @Mixin CopyOptions copies = new CopyOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml|name|csv|joblog",
      description =
          "Output format; name prints the names of the pods, csv a table for spreadsheets, joblog "
              + "the log that GNU parallel writes (default: text).")
  AttemptsFormat format = AttemptsFormat.text;

  public AttemptsCommand(Console console) {
    super(console);
  }

  @Override
  public void check() {
    attempts.check();
  }

  @Override
  public ExitCode run(JobsTarget target) throws IOException {
    return copies.with(console, target, job, this::list);
  }

  private ExitCode list(JobsTarget target) throws IOException {
    List<ContainerAttemptView> found = attempts.find(target, job);
    if (found.isEmpty()) {
      copies.checkNotMirrored(target, job);
    }
    Instant now = clock.instant();
    if (found.isEmpty() && format == AttemptsFormat.text) {
      console.say(JobsTarget.name(job) + ": no such attempts");
      return ExitCode.OK;
    }
    switch (format) {
      case csv -> AttemptsExport.csv(found, now).forEach(console.out()::println);
      case joblog -> joblog(target, found).forEach(this::printRaw);
      case text -> print(ReportFormat.text, found, now);
      case json -> print(ReportFormat.json, found, now);
      case yaml -> print(ReportFormat.yaml, found, now);
      case name -> print(ReportFormat.name, found, now);
    }
    return ExitCode.OK;
  }

  /** Prints a line; bytes of items that are no UTF-8 are what they were. */
  private void printRaw(String line) {
    console.out().writeBytes(ItemText.bytes(line + "\n"));
    console.out().flush();
  }

  private List<String> joblog(JobsTarget target, List<ContainerAttemptView> found) {
    Optional<KubeObject> owner =
        target.clusterIfAny().isPresent() ? target.find(job) : Optional.empty();
    Optional<JobItems> items = owner.flatMap(known -> JobItems.of(target.cluster(), known));
    return AttemptsExport.joblog(found, owner.orElse(null), items);
  }

  private void print(ReportFormat how, List<ContainerAttemptView> found, Instant now) {
    ReportPrinter printer = new ReportPrinter(console);
    printer.print(
        how,
        () -> text(printer, found, now),
        () -> json(found, now),
        () -> found.stream().map(each -> "pod/" + each.pod()).distinct().toList());
  }

  static List<String> text(
      ReportPrinter printer, List<ContainerAttemptView> attempts, Instant now) {
    boolean items = attempts.stream().anyMatch(each -> each.item() != null);
    boolean devices = attempts.stream().anyMatch(each -> each.devices() != null);
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        with(
            items ? "ITEM" : null,
            devices ? "DEVICES" : null,
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
                "REASON")));
    attempts.forEach(each ->
        rows.add(
            with(
                items ? DisplayText.cut(Objects.requireNonNullElse(each.item(), "-"), 40) : null,
                devices ? Objects.requireNonNullElse(each.devices(), "-") : null,
                row(each, now))));
    int state = items ? 6 : 5;
    return printer.table(
        rows,
        (row, column, cell) ->
            column == state ? in(printer, attempts.get(row).state(), cell) : cell);
  }

  /**
   * Returns a row with a cell behind its index, and one before its reason.
   *
   * @param item null if no attempt has one
   * @param devices null if no attempt has any
   */
  private static List<String> with(
      @Nullable String item, @Nullable String devices, List<String> row) {
    List<String> longer = new ArrayList<>(row);
    if (devices != null) {
      longer.add(row.size() - 1, devices);
    }
    if (item != null) {
      longer.add(1, item);
    }
    return longer;
  }

  private static List<String> row(ContainerAttemptView attempt, Instant now) {
    Duration took = attempt.duration(now);
    Instant start = attempt.startedAt();
    return List.of(
        attempt.index() == null ? "-" : attempt.index().toString(),
        Integer.toString(attempt.number()),
        attempt.container(),
        start == null ? "-" : Timestamps.format(start),
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
