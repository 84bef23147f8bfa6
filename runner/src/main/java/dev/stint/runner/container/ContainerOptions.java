package dev.stint.runner.container;

import dev.stint.runner.log.LogLimits;
import java.nio.file.Path;
import java.util.List;

/**
 * The permissions and log limits of pods in the container runtime.
 *
 * @param hostPaths the directories of this machine that pods may have as volumes, with all that is
 *     in them
 * @param logs the limits of their logs
 */
public record ContainerOptions(List<Path> hostPaths, LogLimits logs) {
  /** Allows no host paths. */
  static final ContainerOptions NONE = new ContainerOptions(List.of());

  public ContainerOptions {
    hostPaths = List.copyOf(hostPaths);
  }

  /** Creates options with the default limits of logs. */
  ContainerOptions(List<Path> hostPaths) {
    this(hostPaths, LogLimits.DEFAULT);
  }
}
