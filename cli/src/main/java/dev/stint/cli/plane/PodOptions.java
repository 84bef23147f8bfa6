package dev.stint.cli.plane;

import dev.stint.runner.container.ContainerOptions;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.process.ProcessOptions;
import dev.stint.runner.spec.ResourceAmount;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The permissions of pods on this machine, and the daemon that runs them.
 *
 * @param hostPaths the directories that pods may have as volumes
 * @param containerSocket the container daemon's; null for the usual ones
 * @param logs the limits of their logs
 * @param machine the resources that pods that run at once share
 * @param inputsTimeout the time that a pod waits for inputs that do not exist
 */
public record PodOptions(
    List<Path> hostPaths,
    @Nullable Path containerSocket,
    LogLimits logs,
    ResourceAmount machine,
    Duration inputsTimeout) {
  public ProcessOptions processes() {
    return new ProcessOptions(hostPaths, logs);
  }

  public ContainerOptions containers() {
    return new ContainerOptions(hostPaths, logs);
  }
}
