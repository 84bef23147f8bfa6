package dev.stint.runner.file;

import java.util.Map;

/** The texts of the C library for numbers of errors. */
public final class Errnos {
  /**
   * Those of faults that may pass. Java's own exceptions have these texts and no numbers, so
   * whoever asks whether a fault may pass looks for them.
   */
  private static final Map<Integer, String> TEXTS =
      Map.of(
          12, "Cannot allocate memory",
          23, "Too many open files in system",
          24, "Too many open files",
          28, "No space left on device",
          122, "Disk quota exceeded");

  private Errnos() {}

  /** Returns the text of an error; its number if it is none of those that may pass. */
  public static String text(int errno) {
    return TEXTS.getOrDefault(errno, "errno " + errno);
  }
}
