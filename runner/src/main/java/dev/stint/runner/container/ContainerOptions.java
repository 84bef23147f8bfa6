package dev.stint.runner.container;

import dev.stint.runner.log.LogLimits;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The permissions and log limits of pods in the container runtime.
 *
 * @param hostPaths the directories of this machine that pods may have as volumes, with all that is
 *     in them
 * @param claims the directories of persistent volume claims, by {@code NAME} or {@code
 *     NAMESPACE/NAME}; others are in the data directory
 * @param logs the limits of their logs
 */
public record ContainerOptions(List<Path> hostPaths, Map<String, Path> claims, LogLimits logs) {
  /** Allows no host paths. */
  static final ContainerOptions NONE = new ContainerOptions(List.of());

  public ContainerOptions {
    hostPaths = List.copyOf(hostPaths);
    claims = Map.copyOf(claims);
  }

  /** Creates options with the default limits of logs. */
  ContainerOptions(List<Path> hostPaths) {
    this(hostPaths, Map.of(), LogLimits.DEFAULT);
  }
}
