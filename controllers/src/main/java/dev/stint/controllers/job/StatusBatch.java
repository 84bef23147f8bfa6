package dev.stint.controllers.job;

import java.time.Duration;
import java.time.Instant;

/**
 * The changes that wait for the next status of a Job that only counts (decision 99).
 *
 * @param finished the pods that have finished: their finalizers come off after the write
 * @param remaining the pods that are still to finish
 * @param began the time from which on the first of them has waited
 */
record StatusBatch(int finished, int remaining, Instant began) {
  /** How long a batch waits, in costs of a write: a hundred Jobs take a fifth of the API's time. */
  private static final int COSTS = 500;

  /** A number of finalizers that come off so fast that it delays no end of a Job. */
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
   * True if the batch waits no longer. Each of the last batches has half of the pods that are left:
   * so only few finalizers have to come off between the last pod's end and that of the Job.
   */
  private boolean isFull(int most) {
    return finished >= most || finished >= Math.max(FEW, remaining);
  }
}
