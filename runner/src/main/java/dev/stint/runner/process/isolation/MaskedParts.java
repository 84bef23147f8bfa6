package dev.stint.runner.process.isolation;

import dev.stint.runner.process.command.AttemptDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of this machine that a container does not see.
 *
 * @param directory shown as an empty one; null for none
 * @param processes true to hide all processes but the container's own, in a namespace of its own
 */
public record MaskedParts(@Nullable Path directory, boolean processes) {
  /** Everything can be seen. */
  public static final MaskedParts NOTHING = new MaskedParts(null, false);

  private static final String DIRECTORY = "hidden";

  /** Exists if the script is the first process of its namespace. */
  private static final String INIT = "init";

  /** True if it takes a mount namespace. */
  boolean isAnything() {
    return directory != null || processes;
  }

  /** Returns the options of {@code unshare} besides those for mounts. */
  List<String> unshare() {
    return processes ? List.of("--pid", "--fork", "--kill-child") : List.of();
  }

  /** Writes the files that the script arrange.sh reads. */
  void prepare(AttemptDir dir) throws IOException {
    if (directory != null) {
      Files.writeString(dir.path().resolve(DIRECTORY), directory + "\n");
    }
    if (processes) {
      Files.writeString(dir.path().resolve(INIT), "");
    }
  }

  /** True if an attempt has a process namespace of its own. */
  public static boolean hidesProcesses(AttemptDir dir) {
    return Files.exists(dir.path().resolve(INIT));
  }
}
