package dev.stint.embedded;

import dev.stint.cluster.Timers;
import dev.stint.reconcile.Controller;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Releases the API's caches once nothing has been written for a minute. */
final class IdleMemoryRelease implements Controller {
  static final Duration IDLE_TIME = Duration.ofMinutes(1);

  private final LongSupplier revision;
  private final Runnable rest;
  private final Timers timers;
  private volatile Runnable cancel = () -> {};
  private volatile boolean closed;

  /**
   * @param revision returns the newest revision of the store
   * @param rest releases the memory
   */
  IdleMemoryRelease(LongSupplier revision, Runnable rest, Timers timers) {
    this.revision = revision;
    this.rest = rest;
    this.timers = timers;
  }

  @Override
  public void start() {
    scheduleCheck(revision.getAsLong(), true);
  }

  @Override
  public void close() {
    closed = true;
    cancel.run();
  }

  /**
   * @param busy true if the revision had changed at the last look
   */
  private void scheduleCheck(long before, boolean busy) {
    if (!closed) {
      cancel = timers.after(IDLE_TIME, () -> check(before, busy));
    }
  }

  private void check(long before, boolean busy) {
    long now = revision.getAsLong();
    if (now == before && busy) {
      rest.run();
    }
    scheduleCheck(now, now != before);
  }
}
