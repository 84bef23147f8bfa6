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
 * What pods may do on this machine, and by whom they run.
 *
 * @param hostPaths the directories that pods may have as volumes
 * @param containerSocket the container daemon's; null for the usual ones
 * @param logs how much is kept of what they print
 * @param machine what those that run at once share
 * @param inputsTimeout how long one waits for what it names and does not exist
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
