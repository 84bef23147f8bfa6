package dev.stint.cluster;

import java.time.Instant;
import java.time.InstantSource;

/** A monotonic clock: it measures elapsed time and ignores changes of the system time. */
public final class SteadyClock implements InstantSource {
  private final long start = System.nanoTime();

  @Override
  public Instant instant() {
    return Instant.EPOCH.plusNanos(System.nanoTime() - start);
  }
}
