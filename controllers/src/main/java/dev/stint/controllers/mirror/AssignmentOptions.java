package dev.stint.controllers.mirror;

import java.time.Duration;

/**
 * The options of assigning Jobs to several workers.
 *
 * @param lostAfter how long a worker may be away before it loses its Jobs
 */
public record AssignmentOptions(WorkerChoice choice, Duration lostAfter) {
  public static final AssignmentOptions DEFAULT =
      new AssignmentOptions(WorkerChoice.IN_ORDER, Duration.ofMinutes(15));
}
