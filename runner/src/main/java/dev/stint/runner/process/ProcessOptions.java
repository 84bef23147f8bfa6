package dev.stint.runner.process;

import dev.stint.runner.log.LogLimits;
import dev.stint.runner.process.isolation.Hidden;
import dev.stint.runner.process.user.PodUserPolicy;
import java.nio.file.Path;
import java.util.List;

/**
 * The permissions and log limits of pods in the process runtime.
 *
 * @param hostPaths the directories of this machine that pods may have as volumes, with all that is
 *     in them
 * @param logs the limits of their logs
 * @param users decides as whom they run
 * @param hidden what they don't see of this machine
 */
public record ProcessOptions(
    List<Path> hostPaths, LogLimits logs, PodUserPolicy users, Hidden hidden) {
  /** Allows no host paths. */
  public static final ProcessOptions NONE = new ProcessOptions(List.of());

  public ProcessOptions {
    hostPaths = List.copyOf(hostPaths);
  }

  /** Creates options with the default limits of logs. */
  ProcessOptions(List<Path> hostPaths) {
    this(hostPaths, LogLimits.DEFAULT, PodUserPolicy.NONE, Hidden.NOTHING);
  }
}
