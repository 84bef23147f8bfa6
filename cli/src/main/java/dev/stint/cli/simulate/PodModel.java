package dev.stint.cli.simulate;

import dev.stint.model.KubeObject;
import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import dev.stint.runner.runtime.SimulatedRuntime.Script;
import java.util.random.RandomGenerator;

/**
 * The failure model of attempts: each runs for a drawn time and then fails or succeeds.
 *
 * @param failure the probability of a failure, 0 to 1
 * @param duration the run time, whether it fails or not
 * @param exitCode the exit code of a failure
 */
record PodModel(double failure, UniformDuration duration, int exitCode) implements Script {
  @Override
  public Outcome play(KubeObject pod, RandomGenerator random) {
    boolean fails = random.nextDouble() < failure;
    return new Outcome(duration.draw(random), fails ? exitCode : 0);
  }
}
