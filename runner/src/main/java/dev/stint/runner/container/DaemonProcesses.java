package dev.stint.runner.container;

import dev.stint.runner.process.command.Posix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds processes that a daemon reports. Their IDs are valid only if the daemon sees the same
 * processes as this program.
 */
public final class DaemonProcesses {
  private static final int SIGSTOP = 19;

  private DaemonProcesses() {}

  /**
   * True if the process exists and is the container's: its control group has the container's ID.
   */
  public static boolean isOf(long pid, String container) {
    try {
      return pid > 0 && Files.readString(Path.of("/proc/" + pid + "/cgroup")).contains(container);
    } catch (IOException gone) {
      return false;
    }
  }

  /**
   * Kills a process of a container with all that it started, unless it is none of the container.
   * All are stopped before: else one could start another meanwhile, which nobody would find.
   */
  static void kill(long pid, String container) {
    ProcessHandle.of(pid)
        .filter(process -> isOf(process.pid(), container))
        .ifPresent(process -> {
          Set<ProcessHandle> all = new HashSet<>(Set.of(process));
          int known;
          do {
            known = all.size();
            all.forEach(each -> Posix.kill(Math.toIntExact(each.pid()), SIGSTOP));
            process.descendants().filter(each -> isOf(each.pid(), container)).forEach(all::add);
          } while (all.size() > known);
          all.forEach(ProcessHandle::destroyForcibly);
        });
  }
}
