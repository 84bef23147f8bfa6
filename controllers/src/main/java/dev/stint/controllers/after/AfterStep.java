package dev.stint.controllers.after;

import dev.stint.model.job.after.AfterProgress;
import java.util.Set;

/** The next step for a Job that starts after others. */
sealed interface AfterStep {
  /** Nothing: predecessors that are waited for have not ended, or do not exist. */
  record Wait(Set<String> missing) implements AfterStep {}

  /** Records predecessors, which may be deleted before the others end, or before the Job does. */
  record Note(AfterProgress progress) implements AfterStep {}

  /** Starts the Job, or those of its indexes that may start. */
  record Start(AfterProgress progress) implements AfterStep {}

  /** Allows more indexes of a started Job to start. */
  record Extend(AfterProgress progress) implements AfterStep {}

  /**
   * Fails the Job.
   *
   * @param message says which predecessor is to blame, and why
   */
  record Fail(String message) implements AfterStep {}
}
