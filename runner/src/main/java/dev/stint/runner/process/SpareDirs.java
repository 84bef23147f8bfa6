package dev.stint.runner.process;

import dev.stint.runner.file.FileTrees;
import dev.stint.runner.process.command.AttemptDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps directories of pods that are over as spares for later pods. For short attempts, making and
 * removing files would cost more than the attempts (ext4 searches long for an inode that was not
 * freed just now). Keeps only those of plain pods: one container, one attempt, nothing mounted.
 *
 * <p>For one thread.
 */
public final class SpareDirs {
  private static final String PLACE = ".spare";
  private static final int MOST = 256;
  private static final Set<String> FILES = Set.of("script", "pid", "exit");

  private final Path place;
  private final Map<String, Deque<Path>> byContainer = new HashMap<>();
  private int number;
  private int count;

  /** Starts empty, and deletes the spares of an earlier life. */
  SpareDirs(Path podsDir) throws IOException {
    this.place = podsDir.resolve(PLACE);
    FileTrees.delete(place);
    Files.createDirectories(place);
  }

  /** Takes a spare for the directory of a pod's first attempt; empty if none fits. */
  Optional<Path> take(AttemptDir attempt) {
    Deque<Path> spares = byContainer.get(attempt.container());
    Path spare = spares == null || attempt.number() != 0 ? null : spares.poll();
    if (spare != null) {
      count--;
    }
    return Optional.ofNullable(spare);
  }

  /** Keeps the directory of a pod whose only attempt is over; false if it cannot be kept. */
  boolean keep(AttemptDir attempt) throws IOException {
    if (count >= MOST || !isPlain(attempt)) {
      return false;
    }
    Path spare = place.resolve(String.valueOf(++number));
    Files.move(attempt.podDir(), spare, StandardCopyOption.ATOMIC_MOVE);
    count++;
    byContainer.computeIfAbsent(attempt.container(), _ -> new ArrayDeque<>()).push(spare);
    return true;
  }

  private static boolean isPlain(AttemptDir attempt) {
    String[] files = attempt.path().toFile().list();
    return attempt.number() == 0 && files != null && FILES.containsAll(List.of(files));
  }
}
