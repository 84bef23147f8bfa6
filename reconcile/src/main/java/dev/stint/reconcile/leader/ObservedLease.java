package dev.stint.reconcile.leader;

import dev.stint.model.KubeObject;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A Lease as this process last saw it.
 *
 * @param since the time, by the clock of this process, at which it first saw the Lease in this
 *     state
 * @param deleted true if the Lease was deleted since: its holder may still believe that it leads,
 *     until its time is over
 */
record ObservedLease(KubeObject lease, LeaseRecord record, Instant since, boolean deleted) {
  /** Returns a Lease that is seen in this state for the first time. */
  static ObservedLease of(KubeObject lease, Instant now) {
    return new ObservedLease(lease, LeaseRecord.read(lease.spec()), now, false);
  }

  /**
   * Returns what is known after a report. The holder's time begins anew only if the Lease changed.
   *
   * @param before what was known; null for nothing
   * @param found the Lease as reported; null if there is none
   */
  static @Nullable ObservedLease next(
      @Nullable ObservedLease before, @Nullable KubeObject found, Instant now) {
    if (found == null) {
      return before == null ? null : before.withDeleted(true);
    }
    return before != null && before.lease.resourceVersion().equals(found.resourceVersion())
        ? before.withDeleted(false)
        : of(found, now);
  }

  private ObservedLease withDeleted(boolean gone) {
    return new ObservedLease(lease, record, since, gone);
  }

  /** Returns how much longer others wait for the holder; not positive once its time is over. */
  Duration left(Instant now) {
    return record.duration().minus(Duration.between(since, now));
  }

  /** Returns the holder; null for none, or if it has not renewed for the Lease's duration. */
  @Nullable String holder(Instant now) {
    return record.holder().isEmpty() || !left(now).isPositive() ? null : record.holder();
  }
}
