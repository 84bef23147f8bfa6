package dev.stint.controllers.job;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The changes that wait for the next status of a Job that only counts (decision 99).
 *
 * @param finished the pods that have finished: their finalizers come off after the write
 * @param remaining the pods that are still to finish
 * @param written the time of the Job's last status; null if this process has written none
 */
record StatusBatch(int finished, int remaining, @Nullable Instant written) {
  /** The time between two writes, in costs of one: they take a share of what the API can do. */
  private static final int COSTS = 200;

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
    // After the clock was set back, the last write seems to lie in the future.
    if (written == null || written.isAfter(now) || isFull(most)) {
      return Instant.MIN;
    }
    Duration gap = cost.multipliedBy(COSTS);
    return written.plus(gap.compareTo(longest) < 0 ? gap : longest);
  }

  /**
   * True if the batch waits no longer. Each of the last batches has half of the pods that are left:
   * so only few finalizers have to come off between the last pod's end and that of the Job.
   */
  private boolean isFull(int most) {
    return finished >= most || finished >= Math.max(FEW, remaining);
  }
}
