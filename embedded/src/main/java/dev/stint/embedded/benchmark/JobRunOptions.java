package dev.stint.embedded.benchmark;

/**
 * What to run.
 *
 * @param completions of each Job, at least 1
 * @param parallelism of each Job, at least 1
 * @param jobs how many Jobs run at once, at least 1
 * @param perIndex whether the Jobs have a backoff limit per index (KEP-3850)
 * @param failFirst whether the first pod of every index fails; its replacement succeeds. For
 *     simulated pods only
 * @param processes whether pods are processes, of the command {@code true}; else they are simulated
 */
public record JobRunOptions(
    int completions,
    int parallelism,
    int jobs,
    boolean perIndex,
    boolean failFirst,
    boolean processes) {
  /** As many pods of a Job at once, where nothing else is asked for. */
  public static final int DEFAULT_PARALLELISM = 1000;

  /** Likewise, where they are processes. */
  public static final int DEFAULT_PROCESSES = 16;

  public JobRunOptions {
    atLeastOne("completions", completions);
    atLeastOne("parallelism", parallelism);
    atLeastOne("jobs", jobs);
    if (processes && failFirst) {
      throw new IllegalArgumentException("processes of the command true don't fail");
    }
  }

  /** Simulated pods. */
  public JobRunOptions(
      int completions, int parallelism, int jobs, boolean perIndex, boolean failFirst) {
    this(completions, parallelism, jobs, perIndex, failFirst, false);
  }

  /** One Job whose pods succeed. */
  public static JobRunOptions of(int completions) {
    int parallelism = Math.min(completions, DEFAULT_PARALLELISM);
    return new JobRunOptions(completions, parallelism, 1, false, false);
  }

  /** How many pods run at once at most. */
  int podsAtOnce() {
    return (int) Math.min((long) parallelism * jobs, Integer.MAX_VALUE);
  }

  private static void atLeastOne(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, not " + value);
    }
  }
}
