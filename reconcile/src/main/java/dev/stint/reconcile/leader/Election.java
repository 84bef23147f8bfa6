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
    record TakeLease(LeaseRecord record) implements Move {}

    /** Somebody else leads; check again after at most this time, or when the lease changes. */
    record Wait(String holder, Duration longest) implements Move {}
  }

  /**
   * Returns the next action for a lease.
   *
   * @param seen the lease; null if there is none
   */
  Move next(@Nullable ObservedLease seen, Term.Moment now) {
    if (seen == null) {
      return new Move.TakeLease(claim(now.wall(), 0));
    }
    LeaseRecord record = seen.record();
    if (record.holder().equals(identity)) {
      return new Move.TakeLease(renewed(record, now.wall()));
    }
    String holder = seen.holder(now.steady());
    return holder == null
        ? new Move.TakeLease(claim(now.wall(), record.transitions() + 1))
        : new Move.Wait(holder, seen.left(now.steady()));
  }

  /**
   * True if another process that holds the lease under the same name has renewed it, and nobody
   * else has held it in between.
   */
  boolean isRenewal(@Nullable ObservedLease before, @Nullable ObservedLease after) {
    return before != null
        && after != null
        && !after.deleted()
        && isRenewal(before.record(), after.record());
  }

  private boolean isRenewal(LeaseRecord before, LeaseRecord after) {
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
