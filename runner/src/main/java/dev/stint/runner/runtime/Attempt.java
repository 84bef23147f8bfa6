package dev.stint.runner.runtime;

/** One run of a container. All methods are harmless once it has ended. */
public interface Attempt {
  /** What can be sent to everything in the container. */
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

  /** Signals everything in the container. */
  void signal(Signal signal);

  /**
   * Says that from now on the attempt is ended from outside, as its pod is taken away or the runner
   * stops, so that its end is no failure of its own. Its record tells.
   */
  void stop();

  /**
   * Marks the attempt, durably, as one that does not count: the runtime's next life runs the
   * container again, however this attempt ends.
   */
  void setAside();
}
