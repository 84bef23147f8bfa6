package dev.stint.apiserver.access.pki;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that only their owner may read, if the file system supports owners. */
final class PrivateFiles {
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private PrivateFiles() {}

  /** Creates the directory if it is missing, and makes it inaccessible to others. */
  static void directory(Path directory) throws IOException {
    Files.createDirectories(directory);
    PosixFileAttributeView view =
        Files.getFileAttributeView(directory, PosixFileAttributeView.class);
    if (view != null) {
      view.setPermissions(DIRECTORY);
    }
  }

  /**
   * Writes a file atomically, also if the power fails: a token or key that was replaced is gone.
   */
  static void write(Path file, String text) throws IOException {
    Path target = file.toAbsolutePath();
    Path directory = target.getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new NoSuchFileException(target.toString(), null, "no such directory: " + directory);
    }
    Path beside = Files.createTempFile(directory, ".", ".tmp", attributes(target));
    try {
      try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(
          beside, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      sync(directory);
    } finally {
      Files.deleteIfExists(beside);
    }
  }

  /** Syncs the entries of a directory, if the file system can: files that were moved or removed. */
  static void sync(Path directory) throws IOException {
    if (!isPosix(directory)) {
      return;
    }
    try (FileChannel channel = FileChannel.open(directory)) {
      channel.force(true);
    }
  }

  private static FileAttribute<?>[] attributes(Path file) {
    return isPosix(file)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(FILE)}
        : new FileAttribute<?>[0];
  }

  private static boolean isPosix(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
