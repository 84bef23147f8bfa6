package dev.stint.runner.process;

import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Directories of pods that are over, kept for pods to come: where attempts are short, making and
 * removing their files would cost more than they do (ext4 searches long for an inode that was not
 * freed just now). Only those of plain pods are kept: one container, one attempt, nothing mounted.
 * Of these, the logs are kept likewise where nothing was printed and nobody can print any more.
 *
 * <p>May be used by several threads.
 */
final class SpareDirs {
  private static final String PLACE = ".spare";
  private static final int MOST = 256;
  private static final Set<String> FILES = Set.of("script", "pid", "exit");

  /** Directories by the container whose name is in them, or in the names of their files. */
  private final class Pool {
    private final Map<String, Deque<Path>> byContainer = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();

    boolean isFull() {
      return count.get() >= MOST;
    }

    void keep(String container, Path dir) throws IOException {
      Path spare = place.resolve(String.valueOf(number.incrementAndGet()));
      Files.move(dir, spare, StandardCopyOption.ATOMIC_MOVE);
      count.incrementAndGet();
      byContainer.computeIfAbsent(container, _ -> new ConcurrentLinkedDeque<>()).push(spare);
    }

    boolean take(String container, Path dir) {
      Deque<Path> spares = byContainer.get(container);
      Path spare = spares == null ? null : spares.poll();
      if (spare == null) {
        return false;
      }
      count.decrementAndGet();
      try {
        Files.move(spare, dir, StandardCopyOption.ATOMIC_MOVE);
        return true;
      } catch (IOException taken) {
        return false;
      }
    }
  }

  private final Path place;
  private final AtomicInteger number = new AtomicInteger();
  private final Pool attempts = new Pool();
  private final Pool logs = new Pool();

  /** None yet. What an earlier life kept goes. */
  SpareDirs(Path podsDir) throws IOException {
    this.place = podsDir.resolve(PLACE);
    Directories.delete(place);
    Files.createDirectories(place);
  }

  /** Makes the directory of an attempt from a spare one; false where there is none that fits. */
  boolean take(AttemptDir attempt) {
    return attempt.number() == 0 && attempts.take(attempt.container(), attempt.podDir());
  }

  /** Keeps the directory of a pod whose only attempt is over; false where it is none to be kept. */
  boolean keep(AttemptDir attempt) throws IOException {
    if (attempts.isFull() || attempt.number() != 0 || !isPlain(attempt)) {
      return false;
    }
    attempts.keep(attempt.container(), attempt.podDir());
    return true;
  }

  /**
   * Makes the directory of a pod's logs from a spare one, with both files; false where there is
   * none that fits, or one of that name already.
   */
  boolean takeLogs(LogFiles files) {
    return files.number() == 0 && logs.take(files.container(), files.dir());
  }

  /**
   * Keeps the logs of a pod whose only attempt is over, if there is nothing in them and nobody has
   * them open, such as a process that has left its group.
   *
   * @param files in a directory that was made for them
   */
  boolean keepLogs(LogFiles files) throws IOException {
    if (logs.isFull() || files.number() != 0) {
      return false;
    }
    for (LogStream stream : LogStream.values()) {
      if (!Posix.isEmptyAndUnused(files.path(stream).toString())) {
        return false;
      }
    }
    logs.keep(files.container(), files.dir());
    return true;
  }

  private static boolean isPlain(AttemptDir attempt) {
    String[] files = attempt.path().toFile().list();
    return files != null && FILES.containsAll(List.of(files));
  }
}
