package dev.stint.simulation;

/** A world that follows from one seed. */
public interface SimulatedWorld {
  /**
   * Plays to the end.
   *
   * @throws AssertionError if a law is broken
   */
  void play();

  /** Returns what has been played so far. */
  PlayedWorld played();
}
