package dev.stint.runner.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds processes that a daemon reports. Their IDs are valid only if the daemon sees the same
 * processes as this program.
 */
public final class DaemonProcesses {
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
   */
  static void kill(long pid, String container) {
    ProcessHandle.of(pid)
        .filter(process -> isOf(process.pid(), container))
        .ifPresent(process -> {
          List<ProcessHandle> all = process.descendants().toList();
          process.destroyForcibly();
          all.stream()
              .filter(each -> isOf(each.pid(), container))
              .forEach(ProcessHandle::destroyForcibly);
        });
  }
}
