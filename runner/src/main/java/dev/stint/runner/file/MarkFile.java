package dev.stint.runner.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that says something by being there. Its content says nothing. */
public final class MarkFile {
  /** A way to create an empty file. */
  interface Creation {
    void create(Path file) throws IOException;
  }

  private MarkFile() {}

  /**
   * Makes the file, unless it exists. If the file system takes no new file (no inode is free, or a
   * quota is used up), a link to another file does: on most file systems it needs neither an inode
   * nor a block.
   *
   * @param other an existing file of this user, on the same file system
   */
  public static void make(Path mark, Path other) throws IOException {
    make(mark, other, Files::createFile);
  }

  static void make(Path mark, Path other, Creation creation) throws IOException {
    try {
      creation.create(mark);
    } catch (FileAlreadyExistsException there) {
      // It says what it is to say.
    } catch (IOException full) {
      link(mark, other, full);
    }
  }

  private static void link(Path mark, Path other, IOException full) throws IOException {
    try {
      Files.createLink(mark, other);
    } catch (IOException | UnsupportedOperationException fault) {
      full.addSuppressed(fault);
      throw full;
    }
  }
}
