package dev.stint.controllers.job;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The wait of one Job's next status: since when, and until when (decision 99). */
final class StatusWait {
  private @Nullable Instant deferredUntil;
  private @Nullable Instant batchBegan;

  /**
   * Returns the time until which a status that may wait does: later calls do not extend it, unless
   * the clock was set back.
   */
  Instant defer(Instant now, Duration period) {
    Instant latest = now.plus(period);
    Instant until = deferredUntil == null || deferredUntil.isAfter(latest) ? latest : deferredUntil;
    deferredUntil = until;
    return until;
  }

  /** Returns the time at which the first change began to wait for a status that counts it. */
  Instant batch(Instant now) {
    Instant began = batchBegan == null ? now : batchBegan;
    batchBegan = began;
    return began;
  }

  /** Forgets the wait: the next change begins a new one. */
  void end() {
    deferredUntil = null;
    batchBegan = null;
  }
}
