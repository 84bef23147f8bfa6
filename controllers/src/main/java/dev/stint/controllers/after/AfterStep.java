package dev.stint.controllers.after;

import dev.stint.model.index.IndexSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The next step for a Job that starts after others. */
sealed interface AfterStep {
  /** Nothing: predecessors that are waited for have not ended, or do not exist. */
  record Wait(Set<String> missing) implements AfterStep {}

  /** Records predecessors, which may be deleted before the others end. */
  record Note(Set<String> met) implements AfterStep {}

  /**
   * Starts the Job.
   *
   * @param ready the indexes that may start; null for all
   */
  record Start(Set<String> met, @Nullable IndexSet ready) implements AfterStep {}

  /** Allows more indexes of a started Job to start. */
  record Extend(Set<String> met, IndexSet ready) implements AfterStep {}

  /**
   * Fails the Job.
   *
   * @param message says which predecessor is to blame, and why
   */
  record Fail(String message) implements AfterStep {}
}
