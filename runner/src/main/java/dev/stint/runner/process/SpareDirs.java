package dev.stint.runner.process;

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
 *
 * <p>May be used by several threads.
 */
final class SpareDirs {
  private static final String PLACE = ".spare";
  private static final int MOST = 256;
  private static final Set<String> FILES = Set.of("script", "pid", "exit");

  private final Path place;
  private final Map<String, Deque<Path>> byContainer = new ConcurrentHashMap<>();
  private final AtomicInteger number = new AtomicInteger();
  private final AtomicInteger count = new AtomicInteger();

  /** None yet. What an earlier life kept goes. */
  SpareDirs(Path podsDir) throws IOException {
    this.place = podsDir.resolve(PLACE);
    Directories.delete(place);
    Files.createDirectories(place);
  }

  /** Makes the directory of an attempt from a spare one; false where there is none that fits. */
  boolean take(AttemptDir attempt) {
    Deque<Path> spares = byContainer.get(attempt.container());
    Path spare = spares == null || attempt.number() != 0 ? null : spares.poll();
    if (spare == null) {
      return false;
    }
    count.decrementAndGet();
    try {
      Files.move(spare, attempt.podDir(), StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  /** Keeps the directory of a pod whose only attempt is over; false where it is none to be kept. */
  boolean keep(AttemptDir attempt) throws IOException {
    if (count.get() >= MOST || !isPlain(attempt)) {
      return false;
    }
    Path spare = place.resolve(String.valueOf(number.incrementAndGet()));
    Files.move(attempt.podDir(), spare, StandardCopyOption.ATOMIC_MOVE);
    count.incrementAndGet();
    byContainer
        .computeIfAbsent(attempt.container(), _ -> new ConcurrentLinkedDeque<>())
        .push(spare);
    return true;
  }

  private static boolean isPlain(AttemptDir attempt) {
    String[] files = attempt.path().toFile().list();
    return attempt.number() == 0 && files != null && FILES.containsAll(List.of(files));
  }
}
