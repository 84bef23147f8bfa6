package dev.stint.reconcile.leader;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The times of an election.
 *
 * @param leaseDuration the time for which others wait for a leader that does not renew; whole
 *     seconds
 * @param renewDeadline the time for which a leader continues without a renewal; less than the lease
 *     duration, since its requests may still be in flight
 * @param retryPeriod the time between two tries to renew or to acquire
 */
public record LeaseTimes(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
  /** The times of Kubernetes' own components. */
  public static final LeaseTimes DEFAULT =
      new LeaseTimes(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

  /** The least time that a request has for its answer, as in Kubernetes. */
  private static final Duration SHORTEST_TIMEOUT = Duration.ofSeconds(1);

  /** The jitter of candidates' retries as a factor of the period, as in Kubernetes. */
  private static final double JITTER = 1.2;

  /**
   * Checks that the times are consistent.
   *
   * @throws IllegalArgumentException with a message that names the fields
   */
  public LeaseTimes {
    if (leaseDuration.isZero() || leaseDuration.toMillis() % 1000 != 0) {
      throw new IllegalArgumentException("the lease duration must be whole seconds, one at least");
    }
    if (leaseDuration.compareTo(renewDeadline) <= 0) {
      throw new IllegalArgumentException(
          "the lease duration must be longer than the renew deadline");
    }
    if (retryPeriod.isZero()
        || renewDeadline.compareTo(retryPeriod.multipliedBy(6).dividedBy(5)) <= 0) {
      throw new IllegalArgumentException(
          "the renew deadline must be longer than 1.2 times the retry period");
    }
  }

  /**
   * Returns the time after which a request counts as lost. It is half of the renew deadline, so
   * that a leader can renew over another connection if the API server behind one has vanished.
   */
  Duration requestTimeout() {
    Duration half = renewDeadline.dividedBy(2);
    Duration least =
        renewDeadline.compareTo(SHORTEST_TIMEOUT) < 0 ? renewDeadline : SHORTEST_TIMEOUT;
    return half.compareTo(least) < 0 ? least : half;
  }

  /**
   * Returns the time until the next try after a failed one: a leader keeps to the period, and
   * candidates try at different times.
   */
  Duration retryDelay(boolean leads, RandomGenerator random) {
    double jitter = leads ? 0 : random.nextDouble() * JITTER;
    return retryPeriod.plusNanos((long) (retryPeriod.toNanos() * jitter));
  }
}
