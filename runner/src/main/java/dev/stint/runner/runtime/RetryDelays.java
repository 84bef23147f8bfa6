package dev.stint.runner.runtime;

import dev.stint.model.ExponentialBackoff;
import java.time.Duration;

/** The back-off delays of a node agent's retries. */
public final class RetryDelays {
  /** Between restarts of a container ("Container restart policy" of the pod life cycle). */
  public static final ExponentialBackoff CRASH_LOOP =
      new ExponentialBackoff(Duration.ofSeconds(10), Duration.ofMinutes(5));

  /** Between two checks for inputs of a container that do not exist yet. */
  public static final ExponentialBackoff PREPARATION =
      new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

  /** Between retries of a request that may yet succeed. */
  public static final ExponentialBackoff REQUEST =
      new ExponentialBackoff(Duration.ofMillis(100), Duration.ofSeconds(10));

  private RetryDelays() {}
}
