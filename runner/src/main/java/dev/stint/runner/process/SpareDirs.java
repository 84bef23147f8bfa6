package dev.stint.runner.process;

import dev.stint.runner.file.FileTrees;
import dev.stint.runner.process.command.AttemptDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
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
  static final int MOST = 256;
  private static final Set<String> FILES = Set.of("script", "pid", "exit");

  private final Path place;

  /** The names of containers, the one that was kept last at the end, with their spares. */
  private final SequencedMap<String, Deque<Path>> byContainer = new LinkedHashMap<>();

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
    return attempt.number() == 0 && byContainer.containsKey(attempt.container())
        ? Optional.of(poll(attempt.container()))
        : Optional.empty();
  }

  private Path poll(String container) {
    Deque<Path> spares = Objects.requireNonNull(byContainer.get(container));
    Path spare = spares.pop();
    if (spares.isEmpty()) {
      byContainer.remove(container);
    }
    count--;
    return spare;
  }

  /** Keeps the directory of a pod whose only attempt is over; false if it cannot be kept. */
  boolean keep(AttemptDir attempt) throws IOException {
    String container = attempt.container();
    if (count >= MOST && byContainer.sequencedKeySet().getFirst().equals(container)
        || !isPlain(attempt)) {
      return false;
    }
    Path spare = place.resolve(String.valueOf(++number));
    Files.move(attempt.podDir(), spare, StandardCopyOption.ATOMIC_MOVE);
    count++;
    Deque<Path> spares = byContainer.getOrDefault(container, new ArrayDeque<>());
    spares.push(spare);
    byContainer.putLast(container, spares);
    return true;
  }

  /**
   * Takes a spare that is one too many, to be removed: one of the containers whose name has not
   * come for the longest time. Otherwise names that never come again would keep all places.
   */
  Optional<Path> takeSurplus() {
    return count > MOST
        ? Optional.of(poll(byContainer.sequencedKeySet().getFirst()))
        : Optional.empty();
  }

  private static boolean isPlain(AttemptDir attempt) {
    String[] files = attempt.path().toFile().list();
    return attempt.number() == 0 && files != null && FILES.containsAll(List.of(files));
  }
}
