package dev.stint.cli;

import dev.stint.runner.container.ContainerOptions;
import dev.stint.runner.process.ProcessOptions;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What pods may do on this machine, and by whom they run.
 *
 * @param hostPaths the directories that pods may have as volumes
 * @param containerSocket the container daemon's; null for the usual ones
 */
record PodOptions(List<Path> hostPaths, @Nullable Path containerSocket) {
  ProcessOptions processes() {
    return new ProcessOptions(hostPaths);
  }

  ContainerOptions containers() {
    return new ContainerOptions(hostPaths);
  }
}
