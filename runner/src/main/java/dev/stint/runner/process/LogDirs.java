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
 * Knows whose the directories of logs are, and which of them are to spare: those of plain pods that
 * are over and printed nothing. A shim may make the next one from such a one, with both files in
 * it, as making files costs more than a short command does; until then they lie where they were.
 *
 * <p>For one thread.
 */
final class LogDirs {
  private static final int MOST_SPARE = 256;

  private final boolean spares;

  /** By uid, as long as no other pod of the same name has come to them. */
  private final Map<Path, String> owners = new HashMap<>();

  /** The last one at the end. */
  private final SequencedMap<Path, LogFiles> silent = new LinkedHashMap<>();

  /**
   * @param spares whether there are shims that make directories from spare ones
   */
  LogDirs(boolean spares) {
    this.spares = spares;
  }

  /**
   * Makes the directory of a pod's logs where there is none, or leaves that to a shim.
   *
   * @param plain whether a shim may do it
   * @return what the shim is to make it from, if it can
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

  /** Whether the directory was made for this pod, and no other of its name has come to it. */
  boolean isOwn(Path dir, String podUid) {
    return podUid.equals(owners.get(dir));
  }

  /** A pod is over; tells whether it had the directory alone. */
  boolean leave(Path dir, String podUid) {
    return owners.remove(dir, podUid);
  }

  /** Nothing was printed by the only attempt of a pod that is over and had the directory alone. */
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
