package dev.stint.engine.policy;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Active deadline: a Job that runs longer than {@code spec.activeDeadlineSeconds} fails. Suspension
 * stops the clock.
 */
public final class ActiveDeadline {
  static final String REASON = "DeadlineExceeded";

  /**
   * A thousand years, the limit for deadlines: a longer one is never reached, and would overflow an
   * Instant.
   */
  private static final long FOREVER_SECONDS = 1000L * 365 * 24 * 3600;

  private ActiveDeadline() {}

  static Optional<Verdict.Interim> evaluate(PolicyInput input) {
    Instant deadline = deadline(input);
    return deadline != null && !input.now().isBefore(deadline)
        ? Verdict.failure(REASON, "Job was active longer than specified deadline")
        : Optional.empty();
  }

  /** Returns the Job's deadline; null if it has none or its clock does not run. */
  public static @Nullable Instant deadline(PolicyInput input) {
    Long seconds = input.spec().activeDeadlineSeconds();
    Instant start = input.startTime();
    if (seconds == null || seconds > FOREVER_SECONDS) {
      return null;
    }
    return start == null || input.spec().suspend() ? null : start.plusSeconds(seconds);
  }
}
