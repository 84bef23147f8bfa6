package dev.stint.apiserver;

import tools.jackson.databind.node.ObjectNode;

/** What a request makes of a stored object. */
sealed interface Outcome {
  /** Nothing changes and nothing is written. */
  enum Keep implements Outcome {
    KEEP
  }

  /** The object is replaced. */
  record Write(ObjectNode tree) implements Outcome {}

  /**
   * The object goes away.
   *
   * @param last what the request made of it before it went
   * @param told whether watchers see that last state before it goes
   */
  record Remove(ObjectNode last, boolean told) implements Outcome {}
}
