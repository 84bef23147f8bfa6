package dev.stint.runner.log;

import java.time.Duration;

/**
 * The retention limits of container logs.
 *
 * @param attemptBytes the bytes kept of one attempt; its newest lines are kept
 * @param age the time for which the log of an ended attempt is kept
 * @param bytes the bytes kept of all ended attempts; the newest are kept
 */
public record LogLimits(long attemptBytes, Duration age, long bytes) {
  /** The lower bound of {@code attemptBytes}. */
  public static final long LEAST_ATTEMPT_BYTES = 64 << 10;

  /** A kubelet's default (five files of 10 MiB), for a month and up to 10 GiB. */
  public static final LogLimits DEFAULT = new LogLimits(50L << 20, Duration.ofDays(30), 10L << 30);

  public LogLimits {
    if (attemptBytes < LEAST_ATTEMPT_BYTES || bytes < 0 || age.isNegative()) {
      throw new IllegalArgumentException("invalid log limits: " + attemptBytes + ", " + bytes);
    }
  }
}
