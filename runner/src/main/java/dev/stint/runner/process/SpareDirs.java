package dev.stint.runner.process;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories that nobody needs any more, kept for others to come: where attempts are short, making
 * and removing their files would cost more than they do (ext4 searches long for an inode that was
 * not freed just now). They are told apart by the container whose name is in them.
 *
 * <p>For one thread.
 */
final class SpareDirs {
  private static final Logger LOG = LoggerFactory.getLogger(SpareDirs.class);
  private static final int MOST = 256;

  private final Path place;
  private final Map<String, Deque<Path>> byContainer = new HashMap<>();
  private int number;
  private int count;
  private boolean elsewhere;

  /** None yet. What an earlier life kept goes. */
  SpareDirs(Path place) throws IOException {
    this.place = place;
    Directories.delete(place);
    Files.createDirectory(place);
  }

  /**
   * Keeps a directory.
   *
   * @param fit has the last word, as soon as nobody finds the directory under its name any more
   * @return false where it stays what it was
   */
  boolean keep(String container, Path dir, Predicate<Path> fit) throws IOException {
    if (count >= MOST || elsewhere) {
      return false;
    }
    Path spare = place.resolve(String.valueOf(++number));
    try {
      Files.move(dir, spare, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException otherFileSystem) {
      LOG.debug("nothing is kept of {}, which is on another file system than {}", dir, place);
      elsewhere = true;
      return false;
    }
    if (!fit.test(spare)) {
      moveAnywhere(spare, dir);
      return false;
    }
    push(container, spare);
    return true;
  }

  /**
   * Makes a directory from a spare one; false where none fits, or there is such a directory with
   * something in it.
   */
  boolean take(String container, Path dir) {
    Deque<Path> spares = byContainer.get(container);
    Path spare = spares == null ? null : spares.poll();
    if (spare == null) {
      return false;
    }
    count--;
    try {
      moveAnywhere(spare, dir);
      return true;
    } catch (NoSuchFileException lost) {
      return false;
    } catch (IOException fault) {
      LOG.debug("{} does not become {}: {}", spare, dir, fault.toString());
      push(container, spare);
      return false;
    }
  }

  private void push(String container, Path spare) {
    count++;
    byContainer.computeIfAbsent(container, _ -> new ArrayDeque<>()).push(spare);
  }

  /** Also where there is no directory above. */
  private static void moveAnywhere(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException first) {
      Files.createDirectories(Objects.requireNonNull(to.getParent()));
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }
  }
}
