package dev.stint.runner.policy;

import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.RetryDelays;
import java.time.Duration;

/** The back-off between restarts of one container ("CrashLoopBackOff"). */
public final class CrashBackoff {
  /** A run that lasted this long ends the series of crashes that the back-off counts. */
  private static final Duration STEADY = Duration.ofMinutes(10);

  private int crashes;

  /** Restores the back-off of a container that has been restarted in an earlier life. */
  public void restore(int restarts) {
    crashes = restarts;
  }

  /** Counts the end of a run, and returns the delay from then until the next one. */
  public Duration next(Exit exit) {
    Duration lasted = Duration.between(exit.startedAt(), exit.finishedAt());
    if (lasted.compareTo(STEADY) >= 0) {
      crashes = 0;
    }
    return RetryDelays.CRASH_LOOP.delay(crashes++);
  }
}
