package dev.stint.runner.process.shim;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The order in which the kernel gives process IDs: upwards, and from the bottom again after the
 * largest.
 *
 * @param largest the largest process ID; 0 if unknown
 */
record PidSequence(int largest) {
  private static final Path LIMIT = Path.of("/proc/sys/kernel/pid_max");

  /** Returns the sequence of this machine. */
  static PidSequence ofMachine() {
    // The kernel answers one read only, so the whole number has to be read at once.
    try (BufferedReader reader = Files.newBufferedReader(LIMIT)) {
      return new PidSequence(Integer.parseInt(String.valueOf(reader.readLine())) - 1);
    } catch (IOException | NumberFormatException unknown) {
      return new PidSequence(0);
    }
  }

  /** Returns how many IDs there are after one up to another; a large number if unknown. */
  int distance(int before, int last) {
    if (last >= before) {
      return last - before;
    }
    return largest < before ? Integer.MAX_VALUE : largest - before + last;
  }

  /** Returns the ID after one. */
  int next(int pid) {
    return pid == largest ? 1 : pid + 1;
  }
}
