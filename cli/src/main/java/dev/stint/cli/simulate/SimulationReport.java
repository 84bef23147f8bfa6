package dev.stint.cli.simulate;

import dev.stint.cli.flag.DurationConverter;
import dev.stint.cli.simulate.Distribution.Quantiles;
import dev.stint.model.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/**
 * The report of {@code simulate}.
 *
 * @param job its namespace and name
 * @param results one at least
 */
record SimulationReport(String job, long seed, List<JobResult> results) {
  private static final String ROW = "%-10s %12s %12s %12s %12s";

  List<String> lines() {
    return results.size() == 1 ? one(results.getFirst()) : many(Distribution.of(results));
  }

  private List<String> one(JobResult result) {
    List<String> lines = new ArrayList<>();
    lines.add("Job " + job + ": " + outcome(result) + " (" + result.reason() + "), seed " + seed);
    lines.add("Makespan   " + span(result.makespan().toMillis()));
    lines.add(
        "Attempts   " + result.attempts() + ", " + result.failedAttempts() + " of them failed");
    lines.add("Pod time   " + span(result.podTime().toMillis()));
    if (!result.completedIndexes().isEmpty() || !result.failedIndexes().isEmpty()) {
      lines.add("Completed  " + orNone(result.completedIndexes()));
    }
    if (!result.failedIndexes().isEmpty()) {
      lines.add("Failed     " + result.failedIndexes());
    }
    return lines;
  }

  private static String outcome(JobResult result) {
    return result.complete()
        ? "Complete"
        : result.reason().equals("NotFinished") ? "not finished after a year" : "Failed";
  }

  private static String orNone(String indexes) {
    return indexes.isEmpty() ? "none" : indexes;
  }

  private List<String> many(Distribution all) {
    String reasons =
        all.reasons().entrySet().stream()
            .map(reason -> reason.getKey() + " " + reason.getValue())
            .collect(Collectors.joining(", "));
    double share = 100.0 * all.complete() / all.runs();
    return List.of(
        "Job %s: %d runs, seed %d".formatted(job, all.runs(), seed),
        String.format(Locale.ROOT, "Complete   %.1f %% (%s)", share, reasons),
        ROW.formatted("", "p50", "p90", "p99", "most"),
        row("Makespan", all.makespanMillis(), SimulationReport::span),
        row("Attempts", all.attempts(), Long::toString),
        row("Pod time", all.podMillis(), SimulationReport::span));
  }

  private static String row(String what, Quantiles values, LongFunction<String> text) {
    return ROW.formatted(
        what,
        text.apply(values.p50()),
        text.apply(values.p90()),
        text.apply(values.p99()),
        text.apply(values.most()));
  }

  /** Formats a time to the second. */
  static String span(long millis) {
    return DurationConverter.format(Duration.ofSeconds((millis + 500) / 1000));
  }

  ObjectNode json() {
    ObjectNode report = Json.object().put("job", job).put("seed", seed).put("runs", results.size());
    return results.size() == 1
        ? one(report, results.getFirst())
        : many(report, Distribution.of(results));
  }

  private static ObjectNode one(ObjectNode report, JobResult result) {
    return report
        .put("complete", result.complete())
        .put("reason", result.reason())
        .put("makespanSeconds", seconds(result.makespan().toMillis()))
        .put("attempts", result.attempts())
        .put("failedAttempts", result.failedAttempts())
        .put("podSeconds", seconds(result.podTime().toMillis()))
        .put("succeeded", result.succeeded())
        .put("failed", result.failed())
        .put("completedIndexes", result.completedIndexes())
        .put("failedIndexes", result.failedIndexes());
  }

  private static ObjectNode many(ObjectNode report, Distribution all) {
    report.put("complete", all.complete());
    ObjectNode reasons = report.putObject("reasons");
    all.reasons().forEach(reasons::put);
    quantiles(report.putObject("makespanSeconds"), all.makespanMillis(), 1000.0);
    quantiles(report.putObject("attempts"), all.attempts(), 1);
    quantiles(report.putObject("podSeconds"), all.podMillis(), 1000.0);
    return report;
  }

  static void quantiles(ObjectNode node, Quantiles values, double unit) {
    node.put("p50", values.p50() / unit)
        .put("p90", values.p90() / unit)
        .put("p95", values.p95() / unit)
        .put("p99", values.p99() / unit)
        .put("max", values.most() / unit);
  }

  private static double seconds(long millis) {
    return millis / 1000.0;
  }
}
