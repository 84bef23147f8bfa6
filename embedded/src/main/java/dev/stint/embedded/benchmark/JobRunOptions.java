package dev.stint.embedded.benchmark;

import org.jspecify.annotations.Nullable;

/**
 * The options of a benchmark.
 *
 * @param completions of each Job, at least 1
 * @param parallelism of each Job, at least 1
 * @param jobs the number of Jobs that run at once, at least 1
 * @param perIndex true if the Jobs have a backoff limit per index (KEP-3850)
 * @param failFirst true if the first pod of every index fails; its replacement succeeds. For
 *     simulated pods only
 * @param processes true if pods are processes, of the command {@code true}; else they are simulated
 * @param managedBy the Jobs' {@code managedBy}; null for the built-in controller
 * @param jobsPerSecond how many Jobs are created in each second; 0 if all are at once
 */
public record JobRunOptions(
    int completions,
    int parallelism,
    int jobs,
    boolean perIndex,
    boolean failFirst,
    boolean processes,
    @Nullable String managedBy,
    int jobsPerSecond) {
  /** The default parallelism of simulated pods. */
  public static final int DEFAULT_PARALLELISM = 1000;

  /** The default parallelism of processes. */
  public static final int DEFAULT_PROCESSES = 16;

  public JobRunOptions {
    atLeastOne("completions", completions);
    atLeastOne("parallelism", parallelism);
    atLeastOne("jobs", jobs);
    if (jobsPerSecond < 0) {
      throw new IllegalArgumentException("jobsPerSecond must not be negative: " + jobsPerSecond);
    }
    if (processes && failFirst) {
      throw new IllegalArgumentException("processes of the command true don't fail");
    }
  }

  /** Creates options with simulated pods. */
  public JobRunOptions(
      int completions, int parallelism, int jobs, boolean perIndex, boolean failFirst) {
    this(completions, parallelism, jobs, perIndex, failFirst, false, null, 0);
  }

  /** Returns options for one Job whose pods succeed. */
  public static JobRunOptions of(int completions) {
    int parallelism = Math.min(completions, DEFAULT_PARALLELISM);
    return new JobRunOptions(completions, parallelism, 1, false, false);
  }

  /** Returns the largest number of pods that run at once. */
  int podsAtOnce() {
    return (int) Math.min((long) parallelism * jobs, Integer.MAX_VALUE);
  }

  private static void atLeastOne(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, not " + value);
    }
  }
}
