package dev.stint.reconcile.leader;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rules of leader election: a pure function from the observed lease to the next action of a
 * candidate or leader.
 *
 * <p>A candidate never compares its clock with another's: it waits for the lease's duration from
 * the moment at which it first saw the lease in its current state. So clocks may differ, as long as
 * they run equally fast.
 *
 * @param identity the identity of this process; no two processes have the same
 */
record Election(String identity, LeaseTimes times) {
  /** The next action. */
  sealed interface Move {
    /** Write this record, and lead once it is written. */
    record Claim(LeaseRecord record) implements Move {}

    /** Somebody else leads; check again after at most this time, or when the lease changes. */
    record Wait(Duration longest) implements Move {}
  }

  /**
   * Returns the next action for a lease.
   *
   * @param seen the lease; null if there is none
   * @param since the time since it was first seen in its current state
   * @param now the time, only for the record to write
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

  /**
   * True if another process that holds the lease under the same name has renewed it, and nobody
   * else has held it in between.
   */
  boolean isRenewal(LeaseRecord before, LeaseRecord after) {
    return after.holder().equals(identity)
        && after.transitions() == before.transitions()
        && Objects.equals(after.acquired(), before.acquired())
        && !Objects.equals(after.renewed(), before.renewed());
  }

  private LeaseRecord claim(Instant now, int transitions) {
    return new LeaseRecord(identity, times.leaseDuration(), now, now, transitions);
  }

  private LeaseRecord renewed(LeaseRecord ours, Instant now) {
    return new LeaseRecord(
        identity, times.leaseDuration(), ours.acquired(), now, ours.transitions());
  }

  /** Returns the lease record of a leader that steps down: without a holder, free at once. */
  LeaseRecord released(LeaseRecord ours, Instant now) {
    return new LeaseRecord("", Duration.ofSeconds(1), now, now, ours.transitions());
  }
}
