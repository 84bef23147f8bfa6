package dev.stint.embedded;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that nobody sets: it tells how much time has passed, not what time it is. */
final class SteadyClock implements InstantSource {
  private final long start = System.nanoTime();

  @Override
  public Instant instant() {
    return Instant.EPOCH.plusNanos(System.nanoTime() - start);
  }
}
