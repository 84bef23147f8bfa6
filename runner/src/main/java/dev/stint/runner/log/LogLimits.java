package dev.stint.runner.log;

import java.time.Duration;

/**
 * How much is kept of what containers print.
 *
 * @param attemptBytes of one attempt; its newest lines are kept
 * @param age how long the log of an attempt that has ended is kept
 * @param bytes of all attempts that have ended; the newest are kept
 */
public record LogLimits(long attemptBytes, Duration age, long bytes) {
  /** The least that {@code attemptBytes} can be. */
  public static final long LEAST_ATTEMPT_BYTES = 64 << 10;

  /** As a kubelet has it by default (five files of 10 MiB), for a month and up to 10 GiB. */
  public static final LogLimits DEFAULT = new LogLimits(50L << 20, Duration.ofDays(30), 10L << 30);

  public LogLimits {
    if (attemptBytes < LEAST_ATTEMPT_BYTES || bytes < 0 || age.isNegative()) {
      throw new IllegalArgumentException("no such limits of logs: " + attemptBytes + ", " + bytes);
    }
  }
}
