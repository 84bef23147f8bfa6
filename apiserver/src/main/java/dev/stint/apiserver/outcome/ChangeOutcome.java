package dev.stint.apiserver.outcome;

import tools.jackson.databind.node.ObjectNode;

/** The outcome of a request for a stored object. */
public sealed interface ChangeOutcome {
  /** Returns the resulting object. */
  default ObjectNode after(ObjectNode before) {
    return switch (this) {
      case Keep _ -> before;
      case Write(ObjectNode tree) -> tree;
      case Remove removal -> removal.last();
    };
  }

  /** The object is unchanged, and nothing is written. */
  enum Keep implements ChangeOutcome {
    KEEP
  }

  /** The object is replaced. */
  record Write(ObjectNode tree) implements ChangeOutcome {}

  /**
   * The object is removed.
   *
   * @param last its last state, as changed by the request
   * @param told true if watchers see that last state before the removal
   */
  record Remove(ObjectNode last, boolean told) implements ChangeOutcome {}
}
