package dev.stint.controllers.job;

import java.time.Duration;
import java.time.Instant;

/**
 * The changes that wait for the next status of a Job that only counts (decision 99).
 *
 * @param finished the pods that have finished: their finalizers come off after the write
 * @param remaining the pods that are still to finish
 * @param began the time at which the first of them began to wait
 */
record StatusBatch(int finished, int remaining, Instant began) {
  /**
   * The wait of a batch, as a multiple of the cost of a write. With 500, a hundred Jobs take a
   * fifth of the API's time.
   */
  private static final int COSTS = 500;

  /** A number of finalizers so small that removing them does not delay the end of a Job. */
  private static final int FEW = 32;

  /**
   * Returns the time until which the batch waits for more.
   *
   * @param cost the cost of a status write
   * @param longest the longest time for which the batch may wait
   * @param most the most pods that one status can account for
   */
  Instant due(Duration cost, Duration longest, int most, Instant now) {
    // After the clock was set back, the batch seems to begin in the future.
    if (began.isAfter(now) || isFull(most)) {
      return Instant.MIN;
    }
    Duration wait = cost.multipliedBy(COSTS);
    return began.plus(wait.compareTo(longest) < 0 ? wait : longest);
  }

  /**
   * True if the batch need not wait any longer: it has reached the limit, or at least half of the
   * pods that were left. So the last batches halve, and few finalizers remain to be removed between
   * the end of the last pod and the end of the Job.
   */
  private boolean isFull(int most) {
    return finished >= most || finished >= Math.max(FEW, remaining);
  }
}
