package dev.stint.cli.simulate;

import dev.stint.cli.simulate.picture.DistributionPicture;
import dev.stint.cli.simulate.picture.DistributionPicture.Row;
import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The output of {@code simulate}: of one Job, of several, or of two policies.
 *
 * @param runs the runs of the first policy, one at least
 * @param second null if nothing is compared
 * @param others the runs of the second policy
 */
record SimulationOutput(
    Policy first,
    List<RunResult> runs,
    @Nullable Policy second,
    List<RunResult> others,
    long seed) {
  private WorkloadReport report() {
    return new WorkloadReport(first.jobs(), seed, runs);
  }

  private SimulationReport reportOfOne() {
    return new SimulationReport(first.jobs().getFirst(), seed, report().results(0));
  }

  private boolean isSingle() {
    return first.jobs().size() == 1;
  }

  private String title() {
    String what = isSingle() ? first.jobs().getFirst() : first.jobs().size() + " Jobs";
    return runs.size() == 1
        ? "%s: 1 run, seed %d".formatted(what, seed)
        : "%s: %d runs, seed %d".formatted(what, runs.size(), seed);
  }

  List<String> lines() {
    if (second == null) {
      return isSingle() ? reportOfOne().lines() : report().lines();
    }
    List<String> lines = new ArrayList<>();
    lines.add((isSingle() ? "Job " : "") + title());
    List<Comparison> all = comparisons(second);
    for (Comparison each : all) {
      if (all.size() > 1) {
        lines.add("");
        lines.add(each.subject());
      }
      lines.addAll(each.lines());
    }
    return lines;
  }

  ObjectNode json() {
    if (second == null) {
      return isSingle() ? reportOfOne().json() : report().json();
    }
    ObjectNode tree = Json.object().put("seed", seed).put("runs", runs.size());
    ArrayNode list = tree.putArray("comparisons");
    comparisons(second).forEach(each -> list.add(each.json()));
    return tree;
  }

  /** Compares all Jobs together, and each Job of several that both policies have. */
  private List<Comparison> comparisons(Policy other) {
    WorkloadReport one = report();
    WorkloadReport two = new WorkloadReport(other.jobs(), seed, others);
    List<Comparison> found = new ArrayList<>();
    boolean single = isSingle() && other.jobs().size() == 1;
    String all = single ? first.jobs().getFirst() : "All Jobs";
    found.add(new Comparison(all, first.name(), other.name(), one.all(), two.all()));
    for (int i = 0; !single && i < first.jobs().size(); i++) {
      String name = first.jobs().get(i);
      int at = other.jobs().indexOf(name);
      if (at >= 0) {
        found.add(
            new Comparison(
                name, first.name(), other.name(), one.distribution(i), two.distribution(at)));
      }
    }
    return found;
  }

  /** Returns the picture of the wall times: of all Jobs, then of each, or of both policies. */
  DistributionPicture picture() {
    List<Row> rows = new ArrayList<>();
    if (second != null) {
      rows.add(row(first.name(), all(runs)));
      rows.add(row(second.name(), all(others)));
    } else if (isSingle()) {
      rows.add(row(first.jobs().getFirst(), all(runs)));
    } else {
      rows.add(row("All Jobs", all(runs)));
      for (int i = 0; i < first.jobs().size(); i++) {
        rows.add(row(first.jobs().get(i), report().results(i)));
      }
    }
    return new DistributionPicture("Wall time of " + title(), rows);
  }

  private static List<JobResult> all(List<RunResult> runs) {
    return runs.stream().map(RunResult::all).toList();
  }

  private static Row row(String name, List<JobResult> results) {
    return new Row(name, millis(results, true), millis(results, false));
  }

  private static List<Long> millis(List<JobResult> results, boolean complete) {
    return results.stream()
        .filter(result -> result.complete() == complete)
        .map(result -> result.makespan().toMillis())
        .toList();
  }
}
