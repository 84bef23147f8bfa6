package dev.stint.apiserver.strategy;

import tools.jackson.databind.node.ObjectNode;

/** What a request makes of a stored object. */
public sealed interface ChangeOutcome {
  /** Returns the object as it is after this. */
  default ObjectNode after(ObjectNode before) {
    return switch (this) {
      case Keep _ -> before;
      case Write(ObjectNode tree) -> tree;
      case Remove removal -> removal.last();
    };
  }

  /** Nothing changes and nothing is written. */
  enum Keep implements ChangeOutcome {
    KEEP
  }

  /** The object is replaced. */
  record Write(ObjectNode tree) implements ChangeOutcome {}

  /**
   * The object goes away.
   *
   * @param last what the request made of it before it went
   * @param told whether watchers see that last state before it goes
   */
  record Remove(ObjectNode last, boolean told) implements ChangeOutcome {}
}
