package dev.stint.cli.simulate;

import dev.stint.cli.simulate.Distribution.Quantiles;
import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The report about several Jobs: how long each waits for room, runs, and takes.
 *
 * @param jobs their names, in the order of their results
 * @param runs one at least
 */
record WorkloadReport(List<String> jobs, long seed, List<RunResult> runs) {
  private static final String CELLS = " %9s %8s %8s %8s %8s %8s %8s";

  List<String> lines() {
    Distribution all = all();
    List<String> lines = new ArrayList<>();
    lines.add("%d Jobs: %d runs, seed %d".formatted(jobs.size(), runs.size(), seed));
    lines.add(
        "All Complete %s, makespan median %s, p95 %s, pod time median %s"
            .formatted(
                percent(all.completeShare()),
                SimulationReport.span(all.makespanMillis().p50()),
                SimulationReport.span(all.makespanMillis().p95()),
                SimulationReport.span(all.podMillis().p50())));
    int width = jobs.stream().mapToInt(String::length).max().orElse(0);
    String name = "%-" + Math.max(width, 3) + "s";
    lines.add(
        name.formatted("Job")
            + CELLS.formatted("Complete", "Waiting", "p95", "Running", "p95", "Total", "p95"));
    for (int i = 0; i < jobs.size(); i++) {
      lines.add(name.formatted(jobs.get(i)) + row(distribution(i)));
    }
    return lines;
  }

  private static String row(Distribution job) {
    Quantiles waiting = job.waitingMillis();
    Quantiles running = job.runningMillis();
    Quantiles total = job.makespanMillis();
    return CELLS.formatted(
        percent(job.completeShare()),
        SimulationReport.span(waiting.p50()),
        SimulationReport.span(waiting.p95()),
        SimulationReport.span(running.p50()),
        SimulationReport.span(running.p95()),
        SimulationReport.span(total.p50()),
        SimulationReport.span(total.p95()));
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** Returns the distribution of all Jobs together. */
  Distribution all() {
    return Distribution.of(runs.stream().map(RunResult::all).toList());
  }

  /** Returns the distribution of one Job. */
  Distribution distribution(int job) {
    return Distribution.of(results(job));
  }

  /** Returns the results of one Job. */
  List<JobResult> results(int job) {
    return runs.stream().map(run -> run.jobs().get(job)).toList();
  }

  ObjectNode json() {
    ObjectNode report = Json.object().put("seed", seed).put("runs", runs.size());
    Distribution all = all();
    report.put("complete", all.complete());
    SimulationReport.quantiles(report.putObject("makespanSeconds"), all.makespanMillis(), 1000.0);
    SimulationReport.quantiles(report.putObject("podSeconds"), all.podMillis(), 1000.0);
    ArrayNode list = report.putArray("jobs");
    IntStream.range(0, jobs.size())
        .forEach(i -> list.add(json(Json.object().put("job", jobs.get(i)), distribution(i))));
    return report;
  }

  /** Adds the distribution of one Job. */
  static ObjectNode json(ObjectNode tree, Distribution job) {
    tree.put("complete", job.complete());
    ObjectNode reasons = tree.putObject("reasons");
    job.reasons().forEach(reasons::put);
    SimulationReport.quantiles(tree.putObject("waitingSeconds"), job.waitingMillis(), 1000.0);
    SimulationReport.quantiles(tree.putObject("runningSeconds"), job.runningMillis(), 1000.0);
    SimulationReport.quantiles(tree.putObject("totalSeconds"), job.makespanMillis(), 1000.0);
    SimulationReport.quantiles(tree.putObject("attempts"), job.attempts(), 1);
    SimulationReport.quantiles(tree.putObject("podSeconds"), job.podMillis(), 1000.0);
    return tree;
  }
}
