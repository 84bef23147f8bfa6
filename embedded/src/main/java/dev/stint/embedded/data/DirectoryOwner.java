package dev.stint.embedded.data;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps root out of a data directory that another user has used. That user could not open what root
 * writes there, and could let root write elsewhere, by links.
 */
final class DirectoryOwner {
  private static final int ROOT = 0;
  private static final Path PROCESS = Path.of("/proc/self");

  private DirectoryOwner() {}

  /**
   * Refuses a directory that another user has used, if this process is root's. One that does not
   * exist, or is not used yet, is nobody's.
   *
   * @throws DataDirectoryException if it is refused
   * @throws IOException if nobody can say whose it is
   */
  static void check(Path directory) throws IOException, DataDirectoryException {
    if (!directory.getFileSystem().supportedFileAttributeViews().contains("unix") || isNotRoot()) {
      return;
    }
    Path others = partOfAnother(new DataLayout(directory));
    if (others != null && writesAsRoot(directory)) {
      String owner = Files.getOwner(others, NOFOLLOW_LINKS).getName();
      throw DataDirectoryException.ofAnother(directory, owner);
    }
  }

  /**
   * True if this process is surely another user's: a process with some privileges belongs to root
   * here, and not every system has the directory.
   */
  private static boolean isNotRoot() throws IOException {
    return Files.exists(PROCESS) && userOf(PROCESS) != ROOT;
  }

  /**
   * Returns a part that is not root's; null if there is none. The directory itself may be another
   * user's, as one that is mounted in a container of root.
   */
  private static @Nullable Path partOfAnother(DataLayout layout) throws IOException {
    List<Path> parts =
        List.of(layout.format(), layout.lock(), layout.store(), layout.pods(), layout.keys());
    for (Path part : parts) {
      if (isOfAnother(part)) {
        return part;
      }
    }
    // Root may have given its logs to a program that reads them.
    Path logs = layout.logs();
    return Files.isSymbolicLink(logs) && isOfAnother(logs) ? logs : null;
  }

  private static boolean isOfAnother(Path part) throws IOException {
    return Files.exists(part, NOFOLLOW_LINKS) && userOf(part, NOFOLLOW_LINKS) != ROOT;
  }

  /**
   * True if new files in the directory belong to root. Some file systems, such as shares of another
   * machine, give all files to one user, whoever writes them.
   */
  private static boolean writesAsRoot(Path directory) throws IOException {
    Path file = Files.createTempFile(directory, "owner", null);
    try {
      return userOf(file) == ROOT;
    } finally {
      Files.delete(file);
    }
  }

  private static int userOf(Path file, LinkOption... links) throws IOException {
    return (int) Files.getAttribute(file, "unix:uid", links);
  }
}
