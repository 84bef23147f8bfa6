package dev.stint.runner.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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
}
