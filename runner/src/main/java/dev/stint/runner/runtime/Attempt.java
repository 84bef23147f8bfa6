package dev.stint.runner.runtime;

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
   * Records that the attempt is ended from outside from now on: its pod is deleted or the runner
   * stops, so that its end is not a failure of its own.
   */
  void markStopped();

  /**
   * Records that the pod fails as a whole from now on, so that the attempt has failed for the same
   * reason, whatever its exit code.
   */
  void markFailed(String reason, String message);

  /**
   * Marks the attempt, durably, as interrupted. An interrupted attempt does not count: the
   * runtime's next life runs the container again, however this attempt ends.
   */
  void markInterrupted();
}
