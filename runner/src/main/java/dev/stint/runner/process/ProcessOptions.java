package dev.stint.runner.process;

import dev.stint.runner.log.LogLimits;
import dev.stint.runner.process.user.PodUserPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The permissions and log limits of pods in the process runtime.
 *
 * @param hostPaths the directories of this machine that pods may have as volumes, with all that is
 *     in them
 * @param claims the directories of persistent volume claims, by {@code NAME} or {@code
 *     NAMESPACE/NAME}; others are in the data directory
 * @param logs the limits of their logs
 * @param users decides as whom they run
 * @param requireLimits true to refuse limits of CPU and memory that are not enforced
 * @param hidden the directory that they don't see, nor other processes; empty if they see all
 */
public record ProcessOptions(
    List<Path> hostPaths,
    Map<String, Path> claims,
    LogLimits logs,
    PodUserPolicy users,
    boolean requireLimits,
    Optional<Path> hidden) {
  /** Allows no host paths. */
  public static final ProcessOptions NONE = new ProcessOptions(List.of());

  public ProcessOptions {
    hostPaths = List.copyOf(hostPaths);
    claims = Map.copyOf(claims);
  }

  /** Creates options with the default limits of logs. */
  ProcessOptions(List<Path> hostPaths) {
    this(hostPaths, Map.of(), LogLimits.DEFAULT, PodUserPolicy.NONE, false, Optional.empty());
  }
}
