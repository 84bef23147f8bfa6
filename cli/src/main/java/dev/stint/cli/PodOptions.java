package dev.stint.cli;

import dev.stint.runner.Resources;
import dev.stint.runner.container.ContainerOptions;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.process.ProcessOptions;
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
record PodOptions(
    List<Path> hostPaths,
    @Nullable Path containerSocket,
    LogLimits logs,
    Resources machine,
    Duration inputsTimeout) {
  ProcessOptions processes() {
    return new ProcessOptions(hostPaths, logs);
  }

  ContainerOptions containers() {
    return new ContainerOptions(hostPaths, logs);
  }
}
