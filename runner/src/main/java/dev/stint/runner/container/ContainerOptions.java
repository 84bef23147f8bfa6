package dev.stint.runner.container;

import dev.stint.runner.log.LogLimits;
import java.nio.file.Path;
import java.util.List;

/**
 * What the container runtime lets pods do.
 *
 * @param hostPaths the directories of this machine that pods may have as volumes, with all that is
 *     in them
 * @param logs how much is kept of what they print
 */
public record ContainerOptions(List<Path> hostPaths, LogLimits logs) {
  /** The least. */
  public static final ContainerOptions NONE = new ContainerOptions(List.of());

  public ContainerOptions {
    hostPaths = List.copyOf(hostPaths);
  }

  /** With the usual limits of logs. */
  public ContainerOptions(List<Path> hostPaths) {
    this(hostPaths, LogLimits.DEFAULT);
  }
}
