package dev.stint.cli;

import dev.stint.embedded.ControlPlane;
import dev.stint.runner.Runtime;
import dev.stint.runner.SimulatedRuntime;
import dev.stint.runner.process.ProcessOptions;
import dev.stint.runner.process.ProcessRuntime;
import dev.stint.store.DataDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/** Makes what makes pods run. */
final class Runtimes {
  private static final Duration SIMULATED_POD = Duration.ofMillis(100);

  private Runtimes() {}

  /**
   * The runtime of that kind, over what an earlier life left in the data directory.
   *
   * @param kind not {@code none}
   * @param processes what pods may do that run as processes
   * @throws UserException where this machine can't have it
   */
  static Runtime open(
      RuntimeKind kind,
      ProcessOptions processes,
      DataDirectory directory,
      Console console,
      ControlPlane plane) {
    if (kind == RuntimeKind.simulated) {
      return new SimulatedRuntime(
          (pod, random) -> new SimulatedRuntime.Outcome(SIMULATED_POD, 0),
          new Random(),
          plane.clock(),
          plane.timers());
    }
    try {
      return new ProcessRuntime(
          directory.pods(),
          directory.logs(),
          console.environment(),
          plane.clock(),
          plane.timers(),
          processes);
    } catch (IOException fault) {
      throw new UserException("cannot run processes: " + fault.getMessage());
    }
  }
}
