package dev.stint.apiserver.audit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A token bucket for requests of unknown users: a hundred are recorded, then one a second. */
final class RefusalSampler {
  private static final int BURST = 100;

  private final InstantSource clock;
  private double tokens = BURST;
  private Instant last;

  RefusalSampler(InstantSource clock) {
    this.clock = clock;
    this.last = clock.instant();
  }

  /** True if the next request is recorded. */
  synchronized boolean admits() {
    Instant now = clock.instant();
    double seconds = Math.max(0, Duration.between(last, now).toNanos() / 1e9);
    tokens = Math.min(BURST, tokens + seconds);
    last = now;
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }
}
