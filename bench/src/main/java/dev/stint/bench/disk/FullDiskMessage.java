package dev.stint.bench.disk;

import java.util.ArrayList;
import java.util.List;

/** Checks how a command tells its user that the disk is full. */
public final class FullDiskMessage {
  /** The exit status for a fault of Stint itself. */
  private static final int INTERNAL = 70;

  private FullDiskMessage() {}

  /** Returns what is wrong with how a command ended since its disk was full. */
  public static List<String> faults(int status, String output) {
    List<String> faults = new ArrayList<>();
    if (status == INTERNAL) {
      faults.add("calls a full disk a fault of its own: " + output.strip());
    }
    if (!output.contains("No space left on device") && !output.contains("may be full")) {
      faults.add("says nothing of the disk: " + output.strip());
    }
    if (output.contains("\tat ") || output.contains("Exception in")) {
      faults.add("prints a stack trace: " + output.strip());
    }
    return faults;
  }
}
