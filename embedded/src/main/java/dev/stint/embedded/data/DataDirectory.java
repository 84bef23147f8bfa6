package dev.stint.embedded.data;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import dev.stint.store.StorageEngine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/**
 * The directory with Stint's state. One process at a time holds it, and may serve others. Only its
 * owner has access (0700), but an existing directory with other contents keeps its mode; its parts
 * do not.
 */
public final class DataDirectory implements AutoCloseable {
  /** The newest supported format, and the one that is written. */
  public static final int FORMAT = 1;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private final Path path;
  private final DirectoryLock lock;

  private DataDirectory(Path path, DirectoryLock lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Opens a directory, creating it and its missing contents.
   *
   * @throws DataDirectoryException it is not a directory, cannot be created or written, is in use,
   *     was written by a newer version, or must not be used, see {@link #checkOwner}
   */
  public static DataDirectory open(Path path) throws DataDirectoryException {
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw new DataDirectoryException(path + " is not a directory; choose another with --data");
    }
    checkOwner(path);
    checkNoLinks(path);
    create(path);
    DirectoryLock lock = lock(path);
    try {
      checkFormat(path);
      DataDirectory directory = new DataDirectory(path, lock);
      for (Path part : Set.of(directory.store(), directory.pods(), directory.logs())) {
        createPrivate(part);
        restrict(part);
      }
      return directory;
    } catch (IOException e) {
      lock.close();
      throw notWritable(path, e);
    } catch (DataDirectoryException e) {
      lock.close();
      throw e;
    }
  }

  /**
   * Checks that this process is not root's, or no other user has used the directory. Whoever writes
   * files in a directory that is not open has to ask first.
   *
   * @param path the directory, which need not exist
   * @throws DataDirectoryException it is another user's, or nobody can say whose it is
   */
  public static void checkOwner(Path path) throws DataDirectoryException {
    try {
      DirectoryOwner.check(path);
    } catch (IOException e) {
      throw notWritable(path, e);
    }
  }

  public Path path() {
    return path;
  }

  /** Returns where its files are. */
  public DataLayout layout() {
    return new DataLayout(path);
  }

  /** Returns the directory of the {@link StorageEngine}. */
  public Path store() {
    return layout().store();
  }

  /** Returns the directory in which pods work. */
  public Path pods() {
    return layout().pods();
  }

  /** Returns the directory of pod logs. */
  public Path logs() {
    return layout().logs();
  }

  /** Releases the lock for other processes. Call it after everything in the directory is closed. */
  @Override
  public void close() {
    lock.close();
  }

  /** Explains what would be refused later: no link is followed for these files. */
  private static void checkNoLinks(Path path) throws DataDirectoryException {
    DataLayout layout = new DataLayout(path);
    for (Path file : List.of(layout.lock(), layout.format())) {
      if (Files.isSymbolicLink(file)) {
        throw new DataDirectoryException(
            file + " is a symbolic link; remove it, or choose another directory with --data");
      }
    }
  }

  private static void create(Path path) throws DataDirectoryException {
    try {
      Path parent = path.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      createPrivate(path);
    } catch (IOException e) {
      throw new DataDirectoryException(
          "data directory "
              + path
              + " cannot be created: "
              + reason(e)
              + "; choose another with --data",
          e);
    }
  }

  private static DirectoryLock lock(Path path) throws DataDirectoryException {
    try {
      return DirectoryLock.acquire(path);
    } catch (IOException e) {
      throw notWritable(path, e);
    }
  }

  private static void createPrivate(Path path) throws IOException {
    Files.createDirectories(path);
    if (isEmpty(path)) {
      restrict(path);
    }
  }

  private static void restrict(Path path) throws IOException {
    // Not asked of its mount: in a chroot, none is listed.
    if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(path, OWNER_ONLY);
    }
  }

  private static boolean isEmpty(Path path) throws IOException {
    try (var files = Files.list(path)) {
      return files.findAny().isEmpty();
    }
  }

  private static void checkFormat(Path path) throws IOException, DataDirectoryException {
    Path file = new DataLayout(path).format();
    int found;
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      found = Integer.parseInt(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip());
    } catch (NoSuchFileException e) {
      write(file, FORMAT + "\n");
      return;
    } catch (NumberFormatException e) {
      throw new DataDirectoryException(
          file + " contains no format number; choose another directory with --data", e);
    }
    if (found != FORMAT) {
      throw new DataDirectoryException(
          "data directory %s has format %d, but this version of Stint understands format %d only; use the version that wrote it, or choose another with --data"
              .formatted(path, found, FORMAT));
    }
  }

  /** Writes a file atomically, also if the power fails. */
  private static void write(Path file, String text) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
    Files.writeString(
        unfinished,
        text,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE,
        StandardOpenOption.SYNC,
        LinkOption.NOFOLLOW_LINKS);
    Files.move(unfinished, file, ATOMIC_MOVE, REPLACE_EXISTING);
    try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent())) {
      directory.force(true);
    }
  }

  private static DataDirectoryException notWritable(Path path, IOException e) {
    return new DataDirectoryException(
        "data directory "
            + path
            + " cannot be written: "
            + reason(e)
            + "; choose another with --data",
        e);
  }

  /** Returns in words why a file could not be read or written. */
  public static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof FileSystemException failed && failed.getReason() != null) {
      return failed.getReason() + " (" + failed.getFile() + ")";
    }
    return e instanceof FileSystemException failed
        ? failed.getFile() + " is in the way"
        : String.valueOf(e.getMessage());
  }
}
