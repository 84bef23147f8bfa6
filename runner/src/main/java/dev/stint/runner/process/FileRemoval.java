package dev.stint.runner.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Lists and deletes directory trees. Does not follow links. */
final class FileRemoval {
  private FileRemoval() {}

  /** Returns the entries of a directory; none if it does not exist. */
  static List<Path> entries(Path dir) throws IOException {
    List<Path> entries = new ArrayList<>();
    if (Files.isDirectory(dir, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(dir)) {
        found.forEach(entries::add);
      } catch (NoSuchFileException gone) {
        return entries;
      }
    }
    return entries;
  }

  /** Deletes a file, or a directory with all that is in it; does nothing if it does not exist. */
  static void delete(Path path) throws IOException {
    for (Path entry : entries(path)) {
      delete(entry);
    }
    Files.deleteIfExists(path);
  }
}
