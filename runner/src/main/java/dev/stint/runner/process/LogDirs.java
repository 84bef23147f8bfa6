package dev.stint.runner.process;

import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogMarker;
import dev.stint.runner.log.LogStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Makes the directories of pods' logs, where it can from those of plain pods that printed nothing:
 * with both files in it.
 *
 * <p>For one thread.
 */
final class LogDirs {
  private final SpareDirs spares;

  /** Those of pods that are there, unless another pod of the same name has written there too. */
  private final Set<Path> own = new HashSet<>();

  /** Nothing to make them from yet. */
  LogDirs(Path podsDir) throws IOException {
    this.spares = new SpareDirs(podsDir.resolve(".spare-logs"));
  }

  /** Makes the directory of a pod's logs where there is none. */
  void make(LogFiles files) throws IOException {
    boolean fresh = files.number() == 0 && spares.take(files.container(), files.dir());
    if (fresh || files.makeDir()) {
      own.add(files.dir());
    } else {
      own.remove(files.dir());
      LogMarker.dateLeftover(files);
    }
  }

  /** A pod is over; tells whether the directory was its alone. */
  boolean leave(Path dir) {
    return own.remove(dir);
  }

  /**
   * Keeps the directory of the only attempt of a pod that had it alone, if nothing is in its files
   * and nobody has them open, such as a process that has left its group.
   */
  boolean recycle(LogFiles files) throws IOException {
    return files.number() == 0
        && files.isSilent()
        && holdsNothingElse(files)
        && spares.keep(files.container(), files.dir(), spare -> areUnused(files.movedTo(spare)));
  }

  private static boolean holdsNothingElse(LogFiles files) {
    String[] names = files.dir().toFile().list();
    return names != null && names.length == LogStream.values().length;
  }

  private static boolean areUnused(LogFiles files) {
    for (LogStream stream : LogStream.values()) {
      if (!Posix.isEmptyAndUnused(files.path(stream).toString())) {
        return false;
      }
    }
    return true;
  }
}
