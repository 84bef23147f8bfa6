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
    Quantiles waitingMillis,
    Quantiles runningMillis,
    Quantiles makespanMillis,
    Quantiles attempts,
    Quantiles podMillis) {
  /** Quantiles of a value over all runs. */
  record Quantiles(long p50, long p90, long p95, long p99, long most) {
    static Quantiles of(List<JobResult> results, ToLongFunction<JobResult> what) {
      long[] sorted = results.stream().mapToLong(what).sorted().toArray();
      return new Quantiles(
          at(sorted, 50),
          at(sorted, 90),
          at(sorted, 95),
          at(sorted, 99),
          sorted[sorted.length - 1]);
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
  static Distribution of(List<JobResult> results) {
    return new Distribution(
        results.size(),
        (int) results.stream().filter(JobResult::complete).count(),
        results.stream()
            .collect(Collectors.groupingBy(JobResult::reason, TreeMap::new, Collectors.counting())),
        Quantiles.of(results, result -> result.waiting().toMillis()),
        Quantiles.of(results, result -> result.running().toMillis()),
        Quantiles.of(results, result -> result.makespan().toMillis()),
        Quantiles.of(results, JobResult::attempts),
        Quantiles.of(results, result -> result.podTime().toMillis()));
  }

  /** Returns the share of the runs that were Complete, 0 to 1. */
  double completeShare() {
    return (double) complete / runs;
  }

  /** Returns the share of the runs that ended for a reason, 0 to 1. */
  double share(String reason) {
    return (double) reasons.getOrDefault(reason, 0L) / runs;
  }
}
