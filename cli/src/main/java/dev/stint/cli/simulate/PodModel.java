package dev.stint.cli.simulate;

import dev.stint.model.KubeObject;
import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import dev.stint.runner.runtime.SimulatedRuntime.Script;
import java.util.random.RandomGenerator;

/**
 * What becomes of an attempt, whichever it is: it runs for a drawn time and then fails or succeeds.
 *
 * @param failure how likely it fails, 0 to 1
 * @param duration how long it runs, whether it fails or not
 * @param exitCode of those that fail
 */
public record PodModel(double failure, Spread duration, int exitCode) implements Script {
  @Override
  public Outcome play(KubeObject pod, RandomGenerator random) {
    boolean fails = random.nextDouble() < failure;
    return new Outcome(duration.draw(random), fails ? exitCode : 0);
  }
}
