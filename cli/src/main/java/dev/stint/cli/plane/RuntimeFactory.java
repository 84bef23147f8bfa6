package dev.stint.cli.plane;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.jobs.DisplayText;
import dev.stint.model.KubeObject;
import dev.stint.runner.container.ContainerRuntime;
import dev.stint.runner.container.daemon.DaemonSocket;
import dev.stint.runner.process.ProcessRuntime;
import dev.stint.runner.process.user.Surroundings;
import dev.stint.runner.runtime.Runtime;
import dev.stint.runner.runtime.SimulatedRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the runtimes of pods. */
public final class RuntimeFactory {
  private static final Logger LOG = LoggerFactory.getLogger(RuntimeFactory.class);
  private static final Duration SIMULATED_POD = Duration.ofMillis(100);

  private RuntimeFactory() {}

  /**
   * Opens a runtime of this kind over the data directory, with the pods of an earlier life.
   *
   * @param kind not {@code none}
   * @param pods the permissions of pods, and the daemon that runs them
   * @param surroundings returns what the processes of a pod inherit
   * @throws UserException if this machine does not support it, or pods of another runtime may still
   *     run
   */
  public static Runtime open(
      RuntimeKind kind,
      PodOptions pods,
      Function<KubeObject, Surroundings> surroundings,
      DataDirectory directory,
      Console console,
      ControlPlane plane) {
    ActiveRuntimeFile.record(kind, directory);
    RetryDelayFile.record(plane.retryDelay(), directory);
    if (kind == RuntimeKind.simulated) {
      return new SimulatedRuntime(
          (pod, random) -> new SimulatedRuntime.Outcome(SIMULATED_POD, 0),
          new Random(),
          plane.clock(),
          plane.timers());
    }
    if (kind == RuntimeKind.container) {
      return containers(pods, directory, console, plane);
    }
    try {
      Optional<Path> hidden = hidden(pods, directory, console);
      ProcessRuntime runtime =
          new ProcessRuntime(
              directory.pods(),
              directory.logs(),
              surroundings,
              plane.clock(),
              plane.timers(),
              pods.processes(plane.namespaceLevels()::isPrivileged, hidden));
      runtime.gaps().forEach(console::say);
      return runtime;
    } catch (IOException fault) {
      throw new UserException("cannot run processes: " + fault.getMessage());
    }
  }

  /** Returns the directory to hide from pods of other users. */
  private static Optional<Path> hidden(PodOptions pods, DataDirectory directory, Console console)
      throws IOException {
    if (pods.users().isEmpty()) {
      return Optional.empty();
    }
    Path data = directory.path().toRealPath();
    String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(data));
    if (!mode.endsWith("------")) {
      console.say("pods can enter %s (%s); chmod 700 %s".formatted(data, mode, data));
    }
    return Optional.of(data);
  }

  private static Runtime containers(
      PodOptions pods, DataDirectory directory, Console console, ControlPlane plane) {
    try {
      return ContainerRuntime.open(
          directory.pods(),
          directory.logs(),
          DaemonSocket.find(pods.containerSocket(), console.environment()),
          plane.clock(),
          plane.timers(),
          pods.containers());
    } catch (DaemonSocket.NotFound | IOException fault) {
      throw new UserException("cannot run containers: " + fault.getMessage());
    }
  }

  /**
   * Records that no pod runs any more after all were interrupted; or says which may, since the
   * daemon is away. The record stays then: no other runtime would end them.
   *
   * @param runtime the runtime; null if it is a simulated one
   * @param isAlone true if no other command has pods here
   */
  public static void onInterrupted(
      @Nullable Object runtime, boolean isAlone, DataDirectory directory, Console console) {
    int left = runtime instanceof ContainerRuntime containers ? containers.givenUp() : 0;
    if (left > 0) {
      console.say(
          "the container daemon does not answer: %s may still run, until the next start"
              .formatted(DisplayText.count(left, "pod", "pods")));
    } else if (isAlone) {
      ActiveRuntimeFile.clear(directory);
    }
  }

  /** Closes a runtime; its pods continue. */
  public static void close(AutoCloseable runtime) {
    try {
      runtime.close();
    } catch (Exception fault) {
      LOG.warn("Cannot close the runtime; its pods continue to run", fault);
    }
  }
}
