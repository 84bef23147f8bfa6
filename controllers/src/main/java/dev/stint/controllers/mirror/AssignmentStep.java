package dev.stint.controllers.mirror;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The next step for the assignment of one Job. */
sealed interface AssignmentStep {
  /**
   * Leave it as it is.
   *
   * @param until when to decide again, if nothing changes before; null for never
   */
  record Keep(@Nullable Instant until) implements AssignmentStep {}

  /**
   * Assign it to a worker, whatever is recorded of its copy.
   *
   * @param moves how often it has moved: that of its copy, if the Job has lost the number
   */
  record Assign(String worker, long moves) implements AssignmentStep {}

  /** Take it from a worker that is lost, and assign it to another one. */
  record Move(String worker, String message) implements AssignmentStep {}

  /**
   * Report that it has no worker.
   *
   * @param until when to decide again, if nothing changes before; null for never
   */
  record Refuse(MirrorProblem problem, @Nullable Instant until) implements AssignmentStep {}
}
