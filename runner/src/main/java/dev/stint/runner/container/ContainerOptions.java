package dev.stint.runner.container;

import java.nio.file.Path;
import java.util.List;

/**
 * What the container runtime lets pods do.
 *
 * @param hostPaths the directories of this machine that pods may have as volumes, with all that is
 *     in them
 */
public record ContainerOptions(List<Path> hostPaths) {
  /** The least. */
  public static final ContainerOptions NONE = new ContainerOptions(List.of());

  public ContainerOptions {
    hostPaths = List.copyOf(hostPaths);
  }
}
