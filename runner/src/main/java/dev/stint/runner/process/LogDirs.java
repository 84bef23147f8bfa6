package dev.stint.runner.process;

import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogMarker;
import dev.stint.runner.log.LogStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the directories of pods' logs, where it can from those of plain pods that printed nothing,
 * with both files in it: making files costs more than a short command does.
 *
 * <p>For one thread.
 */
final class LogDirs {
  private static final Logger LOG = LoggerFactory.getLogger(LogDirs.class);
  private static final int MOST_SILENT = 256;

  /** Whose they are, by uid, as long as no other pod of the same name has come to them. */
  private final Map<Path, String> owners = new HashMap<>();

  /** Those of pods that are over, which lie where they were; the last one at the end. */
  private final SequencedMap<Path, LogFiles> silent = new LinkedHashMap<>();

  /** Makes the directory of a pod's logs where there is none. */
  void make(LogFiles files, String podUid) throws IOException {
    silent.remove(files.dir());
    if (taken(files) || files.makeDir()) {
      owners.put(files.dir(), podUid);
    } else {
      owners.remove(files.dir());
      LogMarker.dateLeftover(files);
    }
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
    if (files.number() == 0 && !files.times().toFile().exists()) {
      silent.put(files.dir(), files);
      if (silent.size() > MOST_SILENT) {
        silent.pollFirstEntry();
      }
    }
  }

  private boolean taken(LogFiles files) throws IOException {
    // An empty directory would be replaced under another container that is about to write there.
    if (files.number() != 0 || silent.isEmpty() || files.dir().toFile().exists()) {
      return false;
    }
    Optional<LogFiles> old = poll(files.container());
    while (old.isPresent() && !taken(old.get(), files)) {
      old = poll(files.container());
    }
    return old.isPresent();
  }

  private Optional<LogFiles> poll(String container) {
    Iterator<LogFiles> latestFirst = silent.sequencedValues().reversed().iterator();
    while (latestFirst.hasNext()) {
      LogFiles each = latestFirst.next();
      if (each.container().equals(container)) {
        latestFirst.remove();
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /**
   * A process that has left its group may still have the files open, and so may whoever reads them,
   * until they have another name: then they go back.
   */
  private static boolean taken(LogFiles old, LogFiles files) throws IOException {
    if (!moved(old, files)) {
      return false;
    }
    if (areUnused(files)) {
      Posix.touch(files.dir().toString());
      return true;
    }
    Files.move(files.dir(), old.dir(), StandardCopyOption.ATOMIC_MOVE);
    return false;
  }

  private static boolean moved(LogFiles old, LogFiles files) {
    try {
      move(old, files);
      return true;
    } catch (NoSuchFileException removed) {
      return false;
    } catch (IOException fault) {
      LOG.debug("{} does not become {}: {}", old.dir(), files.dir(), fault.toString());
      return false;
    }
  }

  private static void move(LogFiles old, LogFiles files) throws IOException {
    try {
      Files.move(old.dir(), files.dir(), StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException first) {
      Files.createDirectories(Objects.requireNonNull(files.dir().getParent()));
      Files.move(old.dir(), files.dir(), StandardCopyOption.ATOMIC_MOVE);
    }
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
