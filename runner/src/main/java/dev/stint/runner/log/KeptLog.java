package dev.stint.runner.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The log of an attempt that has ended, or the records of a Job whose logs are gone.
 *
 * @param bytes its size on disk
 * @param lastWritten the time of the last output
 */
record KeptLog(Removal removal, long bytes, Instant lastWritten) {
  /** Removes it from the disk. */
  @FunctionalInterface
  interface Removal {
    void remove() throws IOException;
  }

  /**
   * Returns the time of a file's last change; that of 1970 if there is no file. A time in the
   * future becomes now, in the file too, or the log would never grow old: the container that wrote
   * it could set it, and so does a clock that was ahead.
   */
  static Instant writtenAt(Path file, Instant now) throws IOException {
    try {
      Instant found = Files.getLastModifiedTime(file).toInstant();
      if (!found.isAfter(now)) {
        return found;
      }
      Files.setLastModifiedTime(file, FileTime.from(now));
      return now;
    } catch (NoSuchFileException none) {
      return Instant.EPOCH;
    }
  }

  /**
   * Selects the logs to remove: those that are too old, and then the oldest ones until the others
   * are small enough together.
   */
  static List<KeptLog> surplus(List<KeptLog> logs, Duration longest, long mostBytes, Instant now) {
    Instant limit = now.minus(longest);
    List<KeptLog> surplus = new ArrayList<>();
    long room = mostBytes;
    for (KeptLog log :
        logs.stream().sorted(Comparator.comparing(KeptLog::lastWritten).reversed()).toList()) {
      room -= log.bytes();
      if (room < 0 || log.lastWritten().isBefore(limit)) {
        surplus.add(log);
      }
    }
    return surplus;
  }
}
