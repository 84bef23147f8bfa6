package dev.stint.cli.simulate;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The distribution of the results of many runs.
 *
 * @param reasons the number of runs that ended for each reason
 */
record Distribution(
    int runs,
    int complete,
    Map<String, Long> reasons,
    Quantiles makespanMillis,
    Quantiles attempts,
    Quantiles podMillis) {
  /** Quantiles of a value over all runs. */
  record Quantiles(long p50, long p90, long p99, long most) {
    static Quantiles of(List<Simulation.Result> results, ToLongFunction<Simulation.Result> what) {
      long[] sorted = results.stream().mapToLong(what).sorted().toArray();
      return new Quantiles(
          at(sorted, 50), at(sorted, 90), at(sorted, 99), sorted[sorted.length - 1]);
    }

    /** Returns the nearest rank: the least value that this percentage of runs does not exceed. */
    private static long at(long[] sorted, int percent) {
      return sorted[(int) ((sorted.length * (long) percent + 99) / 100) - 1];
    }
  }

  /**
   * Computes the distribution of results.
   *
   * @param results one at least
   */
  static Distribution of(List<Simulation.Result> results) {
    return new Distribution(
        results.size(),
        (int) results.stream().filter(Simulation.Result::complete).count(),
        results.stream()
            .collect(
                Collectors.groupingBy(
                    Simulation.Result::reason, TreeMap::new, Collectors.counting())),
        Quantiles.of(results, result -> result.makespan().toMillis()),
        Quantiles.of(results, Simulation.Result::attempts),
        Quantiles.of(results, result -> result.podTime().toMillis()));
  }
}
