package dev.stint.runner.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the JDK has no single call for. Links are not followed. */
final class FileRemoval {
  private FileRemoval() {}

  /** What is in a directory; nothing where there is none. */
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

  /** Deletes a file, or a directory with all that is in it; what is not there is fine. */
  static void delete(Path path) throws IOException {
    for (Path entry : entries(path)) {
      delete(entry);
    }
    Files.deleteIfExists(path);
  }
}
