package dev.stint.runner.process;

import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogMarker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Tracks the pods that own the directories of logs, and the spare directories: those of plain pods
 * that are over and printed nothing. A shim may make the next directory from a spare one, with both
 * files in it, since making files costs more than a short command does. Until then, spare
 * directories stay in place.
 *
 * <p>For one thread.
 */
final class LogDirs {
  private static final int MOST_SPARE = 256;

  private final boolean spares;

  /** The uid of the pod that uses a directory; another one of the same name may follow it. */
  private final Map<Path, String> owners = new HashMap<>();

  /** The last one at the end. */
  private final SequencedMap<Path, LogFiles> silent = new LinkedHashMap<>();

  /**
   * @param spares true if there are shims that make directories from spare ones
   */
  LogDirs(boolean spares) {
    this.spares = spares;
  }

  /**
   * Makes the directory of a pod's logs if it does not exist, or leaves that to a shim.
   *
   * @param plain true if a shim may do it
   * @return the spare directory for the shim to use, if it can
   */
  Optional<Path> make(LogFiles files, String podUid, boolean plain) throws IOException {
    silent.remove(files.dir());
    Optional<Path> spare = plain && isNew(files) ? spare(files.container()) : Optional.empty();
    boolean made = spare.isPresent() || files.makeDir();
    if (made && podUid.equals(owners.getOrDefault(files.dir(), podUid))) {
      owners.put(files.dir(), podUid);
    } else {
      owners.remove(files.dir());
      LogMarker.dateLeftover(files);
    }
    return spare;
  }

  /** True if the directory was made for this pod, and no other of its name has used it. */
  boolean isOwn(Path dir, String podUid) {
    return podUid.equals(owners.get(dir));
  }

  /** Called when a pod is over; true if it owned the directory alone. */
  boolean release(Path dir, String podUid) {
    return owners.remove(dir, podUid);
  }

  /**
   * Offers a directory as a spare. Its pod is over, owned it alone, and printed nothing in its only
   * attempt.
   */
  void offer(LogFiles files) {
    if (spares && files.number() == 0 && isMissing(files.times())) {
      silent.put(files.dir(), files);
      if (silent.size() > MOST_SPARE) {
        silent.pollFirstEntry();
      }
    }
  }

  private boolean isNew(LogFiles files) {
    return files.number() == 0
        && !silent.isEmpty()
        && !owners.containsKey(files.dir())
        && isMissing(files.dir());
  }

  private static boolean isMissing(Path path) {
    return !path.toFile().exists();
  }

  private Optional<Path> spare(String container) {
    Iterator<LogFiles> latestFirst = silent.sequencedValues().reversed().iterator();
    while (latestFirst.hasNext()) {
      LogFiles each = latestFirst.next();
      if (each.container().equals(container)) {
        latestFirst.remove();
        return Optional.of(each.dir());
      }
    }
    return Optional.empty();
  }
}
