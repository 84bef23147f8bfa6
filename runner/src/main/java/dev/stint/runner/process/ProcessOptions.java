package dev.stint.runner.process;

import dev.stint.runner.log.LogLimits;
import java.nio.file.Path;
import java.util.List;

/**
 * What the process runtime lets pods do, and keeps of them.
 *
 * @param hostPaths the directories of this machine that pods may have as volumes, with all that is
 *     in them
 * @param logs how much is kept of what they print
 */
public record ProcessOptions(List<Path> hostPaths, LogLimits logs) {
  /** The least. */
  public static final ProcessOptions NONE = new ProcessOptions(List.of());

  public ProcessOptions {
    hostPaths = List.copyOf(hostPaths);
  }

  /** With the usual limits of logs. */
  public ProcessOptions(List<Path> hostPaths) {
    this(hostPaths, LogLimits.DEFAULT);
  }
}
