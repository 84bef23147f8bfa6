package dev.stint.runner.runtime;

import java.util.function.UnaryOperator;

/** One run of a container. All methods are harmless once it has ended. */
public interface Attempt {
  /** The signals that can be sent to all processes of the container. */
  enum Signal {
    TERM(15),
    KILL(9);

    private final int number;

    Signal(int number) {
      this.number = number;
    }

    public int number() {
      return number;
    }
  }

  /** Signals all processes of the container. */
  void signal(Signal signal);

  /**
   * Changes the exit that is recorded, if the attempt ends from now on. The last change counts.
   *
   * @param change such as {@link Exit#asStopped}
   */
  void changeRecord(UnaryOperator<Exit> change);

  /**
   * Marks the attempt, durably, as interrupted. An interrupted attempt does not count: the
   * runtime's next life runs the container again, however this attempt ends.
   */
  void markInterrupted();
}
