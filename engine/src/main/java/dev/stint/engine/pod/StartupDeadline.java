package dev.stint.engine.pod;

import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Startup deadline (decision 83): a pod that does not run within the time that its Job's annotation
 * gives, from its creation on, is ended and has failed.
 */
public final class StartupDeadline {
  /** The reason of the failure. */
  public static final String REASON = "StartupDeadlineExceeded";

  private StartupDeadline() {}

  /**
   * Returns the time by which a pod has to run; null if it did, is being deleted, or may take any
   * time.
   *
   * @param limit the time that it has; null for any
   */
  public static @Nullable Instant of(@Nullable Duration limit, PodView pod) {
    boolean waits = pod.isActive() && pod.phase() == PodPhase.Pending;
    return limit == null || !waits ? null : pod.created().plus(limit);
  }

  /** True if a pod has to be ended now. */
  public static boolean isPast(@Nullable Duration limit, PodView pod, Instant now) {
    Instant deadline = of(limit, pod);
    return deadline != null && !now.isBefore(deadline);
  }
}
