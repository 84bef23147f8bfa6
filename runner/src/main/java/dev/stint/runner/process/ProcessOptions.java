package dev.stint.runner.process;

import java.nio.file.Path;
import java.util.List;

/**
 * What the process runtime lets pods do.
 *
 * @param hostPaths the directories of this machine that pods may have as volumes, with all that is
 *     in them
 */
public record ProcessOptions(List<Path> hostPaths) {
  /** The least. */
  public static final ProcessOptions NONE = new ProcessOptions(List.of());

  public ProcessOptions {
    hostPaths = List.copyOf(hostPaths);
  }
}
