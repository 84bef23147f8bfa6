package dev.stint.runner.proc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells one boot of the machine from another, so that a process ID of an earlier boot is not taken
 * for a process of this one.
 */
public final class BootId {
  /**
   * The field of {@code /proc/PID/stat} with the start time, counted after the name in brackets.
   */
  private static final int START_TIME = 20;

  /** Enough of the ID to tell boots of one machine apart: the last group of the kernel's ID. */
  private static final int TAG = 12;

  private BootId() {}

  /** Returns the ID of the present boot, without spaces. */
  public static String current() {
    return of(Path.of("/proc"));
  }

  /** Returns the end of an ID, for names that are to differ between boots. Has no slash, no dot. */
  public static String tag(String bootId) {
    return bootId.substring(Math.max(0, bootId.length() - TAG));
  }

  /**
   * Returns the kernel's random ID. Some containers have no {@code /proc/sys}; then the start time
   * of the first process in the container stands for it.
   *
   * @param proc the mounted proc file system
   */
  static String of(Path proc) {
    try {
      return Files.readString(proc.resolve("sys/kernel/random/boot_id")).strip();
    } catch (IOException hidden) {
      return "init-" + startOfInit(proc);
    }
  }

  private static String startOfInit(Path proc) {
    try {
      String stat = Files.readString(proc.resolve("1/stat"));
      return stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1)[START_TIME - 1];
    } catch (IOException | IndexOutOfBoundsException unknown) {
      return "unknown";
    }
  }
}
