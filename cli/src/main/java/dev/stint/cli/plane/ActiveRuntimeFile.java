package dev.stint.cli.plane;

import dev.stint.cli.output.UserException;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.data.DataLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of the data directory that names the runtime whose pods may run, from its start until they
 * are ended. Another runtime would not see them, and would run them a second time.
 */
public final class ActiveRuntimeFile {
  private static final Logger LOG = LoggerFactory.getLogger(ActiveRuntimeFile.class);

  private ActiveRuntimeFile() {}

  /**
   * Records that this runtime runs pods from now on.
   *
   * <p>An empty file was left by a command that was killed before it could write the name, and so
   * before it started a pod. A file that names this runtime already is not written again, since a
   * kill would leave it empty while pods run.
   *
   * @throws UserException if another runtime may have left running pods
   */
  static void record(RuntimeKind kind, DataDirectory directory) {
    Path mark = mark(directory);
    try {
      String before = Files.exists(mark) ? Files.readString(mark).strip() : "";
      if (before.equals(kind.name())) {
        return;
      }
      if (!before.isEmpty() && hasPods(directory.pods())) {
        throw new UserException(
            "pods of --runtime %s may still run, and --runtime %s cannot adopt them; start with"
                    .formatted(before, kind)
                + " --runtime %s and stop it with Ctrl-C, or use another --data".formatted(before));
      }
      Files.writeString(mark, kind + "\n");
    } catch (IOException fault) {
      throw new UserException("cannot write " + mark + ": " + fault.getMessage());
    }
  }

  /** Records that no pod runs any more. */
  static void clear(DataDirectory directory) {
    try {
      Files.deleteIfExists(mark(directory));
    } catch (IOException fault) {
      LOG.warn(
          "Cannot delete {}; the next start may refuse another runtime: {}",
          mark(directory),
          fault.toString());
    }
  }

  /**
   * True if pods may still run.
   *
   * @param data a data directory that no process has open
   */
  public static boolean mayHavePods(Path data) {
    return Files.exists(new DataLayout(data).runtime());
  }

  private static Path mark(DataDirectory directory) {
    return directory.layout().runtime();
  }

  /** True if there are directories of pods; spare ones have a dot before their names. */
  private static boolean hasPods(Path pods) throws IOException {
    try (Stream<Path> entries = Files.list(pods)) {
      return entries.anyMatch(entry -> !entry.getFileName().toString().startsWith("."));
    }
  }
}
