package dev.stint.runner.process.shim;

import dev.stint.runner.process.command.Posix;
import java.util.List;

/** Starts processes: {@link Posix#spawn}, or a test's replacement. */
@FunctionalInterface
public interface Spawner {
  /**
   * Starts a process as the leader of a session of its own.
   *
   * @param environment entries {@code NAME=value}
   * @param files descriptors that the process has as 3, 4 and so on
   * @return the process ID, or a negated errno
   */
  int spawn(List<String> argv, List<String> environment, int... files);
}
