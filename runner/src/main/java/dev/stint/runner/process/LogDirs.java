package dev.stint.runner.process;

import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogMarker;
import dev.stint.runner.log.LogStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes the directories of pods' logs, where it can from those of plain pods that printed nothing:
 * with both files in it.
 *
 * <p>For one thread.
 */
final class LogDirs {
  private final SpareDirs spares;

  /** Whose they are, by uid, as long as no other pod of the same name has come to them. */
  private final Map<Path, String> owners = new HashMap<>();

  /** Nothing to make them from yet. */
  LogDirs(Path podsDir) throws IOException {
    this.spares = new SpareDirs(podsDir.resolve(".spare-logs"));
  }

  /** Makes the directory of a pod's logs where there is none. */
  void make(LogFiles files, String podUid) throws IOException {
    if (taken(files) || files.makeDir()) {
      owners.put(files.dir(), podUid);
    } else {
      owners.remove(files.dir());
      LogMarker.dateLeftover(files);
    }
  }

  /** An empty directory would be replaced under those who are about to write there. */
  private boolean taken(LogFiles files) {
    boolean taken =
        files.number() == 0
            && !files.dir().toFile().exists()
            && spares.take(files.container(), files.dir());
    if (taken) {
      Posix.touch(files.dir().toString());
    }
    return taken;
  }

  /** A pod is over; tells whether it had the directory alone. */
  boolean leave(Path dir, String podUid) {
    return owners.remove(dir, podUid);
  }

  /**
   * Keeps the directory of the only attempt of a pod that had it alone, if nothing is in its files
   * and nobody has them open. A process that has left its group does from the start; whoever reads
   * may come until the directory has no name any more.
   */
  boolean recycle(LogFiles files) throws IOException {
    return files.number() == 0
        && files.isSilent()
        && holdsNothingElse(files)
        && areUnused(files)
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
