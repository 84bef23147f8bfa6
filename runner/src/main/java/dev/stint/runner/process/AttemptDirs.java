package dev.stint.runner.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Makes the directories of attempts, where it can from those that plain pods have left: of one
 * container, one attempt, nothing mounted.
 *
 * <p>For one thread.
 */
final class AttemptDirs {
  private static final Set<String> FILES = Set.of("script", "pid", "exit");

  private final SpareDirs spares;

  /** Nothing to make them from yet. */
  AttemptDirs(Path podsDir) throws IOException {
    this.spares = new SpareDirs(podsDir.resolve(".spare"));
  }

  void make(AttemptDir dir) throws IOException {
    if (dir.number() != 0 || !spares.take(dir.container(), dir.podDir())) {
      dir.create();
    }
  }

  /** Keeps that of a pod's only attempt, which is over; false where it is none to be kept. */
  boolean recycle(AttemptDir dir) throws IOException {
    return dir.number() == 0
        && isPlain(dir)
        && spares.keep(dir.container(), dir.podDir(), _ -> true);
  }

  private static boolean isPlain(AttemptDir dir) {
    String[] files = dir.path().toFile().list();
    return files != null && FILES.containsAll(List.of(files));
  }
}
