package dev.stint.cli;

import dev.stint.cli.attempts.Attempt;
import dev.stint.model.Json;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stint attempts JOB}: all attempts, a line each. */
@Command(
    name = "attempts",
    description =
        "List the attempts of a Job: when they began, how long they took, how they ended, and how "
            + "much they printed; on this machine also after their pods and the Job are gone.",
    footer = {"", "Example:", "  stint attempts hello --failed --index 3,7-9"})
final class AttemptsCommand extends TargetCommand {
  @Parameters(paramLabel = "JOB", description = "The Job's name.")
  private String job = "";

  @Mixin private AttemptOptions attempts = new AttemptOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml|name",
      description = "In which form (default: text). name tells the names of the pods.")
  private ReportFormat format = ReportFormat.text;

  AttemptsCommand(Console console) {
    super(console);
  }

  @Override
  ExitCode run(Target target) throws IOException {
    List<Attempt> found = attempts.find(target, job);
    Instant now = clock.instant();
    if (found.isEmpty() && format == ReportFormat.text) {
      console.say(Target.name(job) + ": no such attempts");
      return ExitCode.OK;
    }
    Printer printer = new Printer(console);
    printer.print(
        format,
        () -> text(printer, found, now),
        () -> json(found, now),
        () -> found.stream().map(each -> "pod/" + each.pod()).distinct().toList());
    return ExitCode.OK;
  }

  static List<String> text(Printer printer, List<Attempt> attempts, Instant now) {
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

  private static List<String> row(Attempt attempt, Instant now) {
    Duration took = attempt.duration(now);
    Instant start = attempt.startedAt();
    return List.of(
        attempt.index() == null ? "-" : attempt.index().toString(),
        Integer.toString(attempt.number()),
        attempt.container(),
        start == null ? "-" : start.toString(),
        took == null ? "-" : Durations.brief(took),
        word(attempt.state()),
        attempt.exitCode() == null ? "-" : attempt.exitCode().toString(),
        attempt.logBytes() == null ? "-" : Sizes.brief(attempt.logBytes()),
        attempt.pod(),
        Words.cut(why(attempt), 60));
  }

  /** Why it ended as it did, in a line; empty where it simply ended. */
  static String why(Attempt attempt) {
    String message = attempt.message().strip().lines().findFirst().orElse("");
    boolean plain = attempt.reason().equals("Completed") || attempt.reason().equals("Error");
    String reason = plain ? "" : attempt.reason();
    return reason.isEmpty() || message.isEmpty() ? reason + message : reason + ": " + message;
  }

  static String word(Attempt.State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static String in(Printer printer, Attempt.State state, String cell) {
    return switch (state) {
      case SUCCEEDED -> printer.good(cell);
      case FAILED -> printer.bad(cell);
      case UNKNOWN -> printer.odd(cell);
      case WAITING, RUNNING -> cell;
    };
  }

  static JsonNode json(List<Attempt> attempts, Instant now) {
    ObjectNode tree = Json.object();
    ArrayNode list = tree.putArray("attempts");
    attempts.forEach(each -> list.add(json(each, now)));
    return tree;
  }

  static ObjectNode json(Attempt attempt, Instant now) {
    ObjectNode tree = Json.object();
    if (attempt.index() != null) {
      tree.put("index", attempt.index().intValue());
    }
    tree.put("attempt", attempt.number())
        .put("pod", attempt.pod())
        .put("container", attempt.container())
        .put("run", attempt.run())
        .put("state", word(attempt.state()));
    if (attempt.exitCode() != null) {
      tree.put("exitCode", attempt.exitCode().intValue());
    }
    if (attempt.signal() != null) {
      tree.put("signal", attempt.signal().intValue());
    }
    if (!attempt.reason().isEmpty()) {
      tree.put("reason", attempt.reason());
    }
    if (!attempt.message().isEmpty()) {
      tree.put("message", attempt.message());
    }
    JobSummary.put(tree, "startedAt", attempt.startedAt());
    JobSummary.put(tree, "finishedAt", attempt.finishedAt());
    Duration took = attempt.duration(now);
    if (took != null) {
      tree.put("seconds", took.toMillis() / 1000.0);
    }
    if (attempt.logBytes() != null) {
      tree.put("logBytes", attempt.logBytes().longValue());
    }
    return tree;
  }
}
