package dev.stint.runner.process;

import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.runtime.Exit;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one container that an earlier life left on disk.
 *
 * @param latest the newest attempt
 * @param restartCount the number of attempts before it that count: those that ended, and were not
 *     marked as interrupted
 * @param previous the end of the last of those; null for none
 */
record AttemptHistoryOnDisk(AttemptDir latest, int restartCount, @Nullable Exit previous) {
  /**
   * Returns the attempts with one that was told, of which nothing may be left.
   *
   * @param found what is left; empty for nothing
   * @param told the attempt, whose directory need not exist
   * @param restarts the restarts that were told
   * @param last the end of the run before it that was told; null for none
   */
  static AttemptHistoryOnDisk withTold(
      Optional<AttemptHistoryOnDisk> found, AttemptDir told, int restarts, @Nullable Exit last) {
    AttemptHistoryOnDisk known = found.orElse(new AttemptHistoryOnDisk(told, 0, last));
    boolean isGone = known.latest.number() < told.number();
    return new AttemptHistoryOnDisk(
        isGone ? told : known.latest,
        Math.max(known.restartCount, restarts),
        isGone || known.previous == null ? last : known.previous);
  }

  static Optional<AttemptHistoryOnDisk> read(Path containerDir) throws IOException {
    if (!Files.isDirectory(containerDir)) {
      return Optional.empty();
    }
    List<AttemptDir> attempts = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(containerDir, "[0-9]*")) {
      found.forEach(path -> attempts.add(new AttemptDir(path)));
    }
    if (attempts.isEmpty()) {
      return Optional.empty();
    }
    attempts.sort(Comparator.comparingInt(AttemptDir::number));
    AttemptDir latest = attempts.removeLast();
    int counted = 0;
    Exit previous = null;
    for (AttemptDir attempt : attempts) {
      Optional<Exit> exit = attempt.isInterrupted() ? Optional.empty() : attempt.exit();
      if (exit.isPresent()) {
        counted++;
        previous = exit.get();
      }
    }
    return Optional.of(new AttemptHistoryOnDisk(latest, counted, previous));
  }
}
