package dev.stint.runner.process;

import dev.stint.runner.runtime.Exit;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds full file systems, which are the likely reason why a command failed, although its exit code
 * does not say so.
 */
final class DiskSpace {
  /** Few programs can go on with less. */
  private static final long LITTLE_BYTES = 64 << 10;

  /** The bytes that may still be written in a directory. */
  interface Space {
    long usable(Path dir);
  }

  private final Space space;

  DiskSpace() {
    this(DiskSpace::usable);
  }

  /**
   * Returns the room; a file system without any, such as an image or {@code /proc}, is not full.
   */
  private static long usable(Path dir) {
    File file = dir.toFile();
    boolean hasRoom = file.getTotalSpace() > 0 && !isReadOnly(dir);
    return hasRoom ? file.getUsableSpace() : Long.MAX_VALUE;
  }

  /** True if nobody writes there. In a chroot, the list of mounts may lack the file system. */
  private static boolean isReadOnly(Path dir) {
    try {
      return Files.getFileStore(dir).isReadOnly();
    } catch (IOException notListed) {
      return !Files.isWritable(dir);
    }
  }

  DiskSpace(Space space) {
    this.space = space;
  }

  /**
   * Returns the outcome of a failed command with a message about the first full file system that it
   * may have written to.
   *
   * @param volumes the directory of the pod's volumes, which need not exist
   */
  Exit explained(Exit exit, Path workingDir, Path logs, Path volumes) {
    if (!exit.isError()) {
      return exit;
    }
    List<Path> dirs = new ArrayList<>(List.of(workingDir, logs));
    dirs.addAll(children(volumes));
    return dirs.stream()
        .flatMap(dir -> fault(dir).stream())
        .findFirst()
        .map(why -> exit.message().isEmpty() ? why : exit.message().stripTrailing() + "\n" + why)
        .map(exit::withMessage)
        .orElse(exit);
  }

  private Optional<String> fault(Path dir) {
    long left = space.usable(dir);
    return left >= LITTLE_BYTES
        ? Optional.empty()
        : Optional.of("the file system of " + dir + " is full (" + left + " bytes left)");
  }

  private static List<Path> children(Path volumes) {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(volumes)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(volumes)) {
        all.forEach(found::add);
      } catch (IOException unreadable) {
        return List.of();
      }
    }
    return found;
  }
}
