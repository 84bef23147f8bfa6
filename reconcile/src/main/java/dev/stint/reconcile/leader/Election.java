package dev.stint.reconcile.leader;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who may lead. Pure: what a candidate or leader does next, by what it has seen.
 *
 * <p>A candidate never compares its clock with another's: it waits for the lease's duration from
 * the moment on at which it first saw the lease as it is now. So clocks may differ, as long as they
 * run equally fast.
 *
 * @param identity who we are; no two processes have the same
 */
record Election(String identity, LeaseTimes times) {
  /** What to do next. */
  sealed interface Move {
    /** Write this, and lead once it is written. */
    record Claim(LeaseRecord record) implements Move {}

    /** Somebody else leads; look again then, unless the lease changes. */
    record Wait(Duration longest) implements Move {}
  }

  /**
   * What to do about a lease.
   *
   * @param seen the lease; null where there is none
   * @param since how long ago it was first seen as it is
   * @param now for what is written only
   */
  Move next(@Nullable LeaseRecord seen, Duration since, Instant now) {
    if (seen == null) {
      return new Move.Claim(claim(now, 0));
    }
    if (seen.holder().equals(identity)) {
      return new Move.Claim(renewed(seen, now));
    }
    Duration left = seen.duration().minus(since);
    return seen.holder().isEmpty() || left.isNegative() || left.isZero()
        ? new Move.Claim(claim(now, seen.transitions() + 1))
        : new Move.Wait(left);
  }

  private LeaseRecord claim(Instant now, int transitions) {
    return new LeaseRecord(identity, times.leaseDuration(), now, now, transitions);
  }

  private LeaseRecord renewed(LeaseRecord ours, Instant now) {
    return new LeaseRecord(
        identity, times.leaseDuration(), ours.acquired(), now, ours.transitions());
  }

  /** The lease of a leader that steps down: held by nobody, to be had at once. */
  LeaseRecord released(LeaseRecord ours, Instant now) {
    return new LeaseRecord("", Duration.ofSeconds(1), now, now, ours.transitions());
  }
}
