package dev.stint.testkit;

import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.runner.SimulatedRuntime.Outcome;
import dev.stint.runner.SimulatedRuntime.Script;
import java.time.Duration;
import java.util.function.IntUnaryOperator;

/**
 * What simulated containers commonly do. Anything else is a lambda: {@code (pod, random) -> new
 * Outcome(duration, exitCode)}.
 */
public final class Scripts {
  /** Longer than any test. */
  private static final Duration FOREVER = Duration.ofDays(1);

  private Scripts() {}

  /** Every container ends at once, with 0. */
  public static Script succeed() {
    return exit(0);
  }

  /** Every container ends at once, with this exit code. */
  public static Script exit(int exitCode) {
    return (pod, random) -> new Outcome(Duration.ZERO, exitCode);
  }

  /** Every container ends at once, with the exit code that its pod's completion index maps to. */
  public static Script exitByIndex(IntUnaryOperator exitCode) {
    return (pod, random) -> new Outcome(Duration.ZERO, exitCode.applyAsInt(index(pod)));
  }

  /** Every container runs until it is told to stop. */
  public static Script run() {
    return (pod, random) -> new Outcome(FOREVER, 0);
  }

  private static int index(KubeObject pod) {
    String index = pod.annotations().get(Names.COMPLETION_INDEX);
    if (index == null) {
      throw new IllegalArgumentException(
          "pod " + pod.name() + " has no completion index: its Job is not Indexed");
    }
    return Integer.parseInt(index);
  }
}
