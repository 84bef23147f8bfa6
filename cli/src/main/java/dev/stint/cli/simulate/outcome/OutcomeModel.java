package dev.stint.cli.simulate.outcome;

import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import java.util.random.RandomGenerator;

/** The distribution of the outcomes of attempts. */
public interface OutcomeModel {
  /**
   * Draws the outcome of an attempt.
   *
   * @param attempt the number of the attempt at its index, from 1
   */
  Outcome draw(int attempt, RandomGenerator random);
}
