package dev.stint.cli.simulate.outcome;

import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import java.util.random.RandomGenerator;

/**
 * The assumed outcomes of attempts: each runs for a drawn time and then fails or succeeds.
 *
 * @param failure the probability of a failure, 0 to 1
 * @param duration the run time, whether it fails or not
 * @param exitCode the exit code of a failure
 */
public record PodModel(double failure, UniformDuration duration, int exitCode)
    implements OutcomeModel {
  @Override
  public Outcome draw(int attempt, RandomGenerator random) {
    boolean fails = random.nextDouble() < failure;
    return new Outcome(duration.draw(random), fails ? exitCode : 0);
  }
}
