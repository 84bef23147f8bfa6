package dev.stint.cli.simulate;

import dev.stint.cli.simulate.Distribution.Quantiles;
import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import tools.jackson.databind.node.ObjectNode;

/**
 * Two policies side by side.
 *
 * @param first the name of the first policy
 * @param second the name of the second one, whose difference to the first is shown
 */
record Comparison(
    String subject, String first, String second, Distribution one, Distribution other) {
  /** One line of the table. */
  private record Row(String what, String one, String other, String difference) {}

  List<String> lines() {
    List<Row> rows = new ArrayList<>();
    rows.add(share("Complete", one.completeShare(), other.completeShare()));
    TreeSet<String> reasons = new TreeSet<>(one.reasons().keySet());
    reasons.addAll(other.reasons().keySet());
    reasons.forEach(
        reason -> rows.add(share("  " + reason, one.share(reason), other.share(reason))));
    times(rows, "Makespan", one.makespanMillis(), other.makespanMillis());
    times(rows, "Pod time", one.podMillis(), other.podMillis());
    rows.add(count("Attempts median", one.attempts().p50(), other.attempts().p50()));
    rows.add(count("Attempts p95", one.attempts().p95(), other.attempts().p95()));
    return table(rows);
  }

  private List<String> table(List<Row> rows) {
    int what = rows.stream().mapToInt(row -> row.what().length()).max().orElse(0);
    int width = Math.max(10, Math.max(first.length(), second.length()));
    String format = "%-" + what + "s  %" + width + "s  %" + width + "s  %12s";
    List<String> lines = new ArrayList<>();
    lines.add(format.formatted("", first, second, "difference"));
    rows.forEach(
        row -> lines.add(format.formatted(row.what(), row.one(), row.other(), row.difference())));
    return lines;
  }

  private static Row share(String what, double one, double other) {
    return new Row(
        what,
        WorkloadReport.percent(one),
        WorkloadReport.percent(other),
        String.format(Locale.ROOT, "%+.1f", 100 * (other - one)));
  }

  private static void times(List<Row> rows, String what, Quantiles one, Quantiles other) {
    rows.add(time(what + " median", one.p50(), other.p50()));
    rows.add(time(what + " p95", one.p95(), other.p95()));
  }

  private static Row time(String what, long one, long other) {
    long millis = other - one;
    String sign = millis < -499 ? "-" : millis > 499 ? "+" : "";
    return new Row(
        what,
        SimulationReport.span(one),
        SimulationReport.span(other),
        sign + SimulationReport.span(Math.abs(millis)));
  }

  private static Row count(String what, long one, long other) {
    return new Row(
        what,
        Long.toString(one),
        Long.toString(other),
        other == one ? "0" : "%+d".formatted(other - one));
  }

  ObjectNode json() {
    ObjectNode tree = Json.object().put("subject", subject);
    WorkloadReport.json(tree.putObject("first").put("policy", first), one);
    WorkloadReport.json(tree.putObject("second").put("policy", second), other);
    tree.putObject("difference")
        .put("completeShare", other.completeShare() - one.completeShare())
        .put("makespanSeconds", seconds(one.makespanMillis(), other.makespanMillis()))
        .put("podSeconds", seconds(one.podMillis(), other.podMillis()))
        .put("attempts", other.attempts().p50() - one.attempts().p50());
    return tree;
  }

  /** Returns the difference of the medians. */
  private static double seconds(Quantiles one, Quantiles other) {
    return (other.p50() - one.p50()) / 1000.0;
  }
}
