package dev.stint.cli.simulate;

/** Ends a simulation that takes too many steps, or that nobody waits for. One thread. */
final class StepLimit implements Runnable {
  private final Runnable goesOn;
  private int left;

  /** The simulation has taken too many steps. */
  static final class Exceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Exceeded() {
      super("too many steps", null, false, false);
    }
  }

  /**
   * @param goesOn runs before each step; what it throws ends the simulation
   */
  StepLimit(int most, Runnable goesOn) {
    this.left = most;
    this.goesOn = goesOn;
  }

  @Override
  public void run() {
    goesOn.run();
    if (left-- <= 0) {
      throw new Exceeded();
    }
  }
}
