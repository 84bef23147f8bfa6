package dev.stint.runner.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * An open file or directory. It stays the same one, whatever others do to its path meanwhile.
 *
 * <p>What is opened beneath it is opened one name after the other, and no link is followed.
 */
public final class Handle implements AutoCloseable {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final byte[] ITSELF = {};

  private final int descriptor;

  private Handle(int descriptor) {
    this.descriptor = descriptor;
  }

  /** Opens a path and follows the links in it. Check {@link #location} if others may change it. */
  public static Handle open(Path path) throws IOException {
    return new Handle(
        checked(
            LibraryCalls.open(LibraryCalls.HERE, LibraryCalls.bytes(path), LibraryCalls.HANDLE, 0),
            path.toString()));
  }

  /**
   * Opens a regular file to read or write it. Never waits, as for the other end of a pipe, and does
   * not follow a link in its place.
   *
   * @throws IOException it is something else, such as a link, a pipe or a device
   */
  public static FileChannel channel(Path file, StandardOpenOption option) throws IOException {
    try (Handle handle = regularFile(file, option)) {
      return handle.channel(option);
    }
  }

  /**
   * Opens this regular file to read it. Never waits for a process that has a lease on it, which can
   * hold up others for most of a minute.
   */
  public FileChannel reader() throws IOException {
    int opened =
        LibraryCalls.open(LibraryCalls.HERE, LibraryCalls.bytes(path()), LibraryCalls.READ, 0);
    try (Handle handle = new Handle(checked(opened, "a file"))) {
      return handle.channel(StandardOpenOption.READ);
    }
  }

  /**
   * Opens this file, which is open in the same way, once more. The JDK's call would wait for the
   * end of a lease, but there can be none meanwhile.
   */
  private FileChannel channel(StandardOpenOption option) throws IOException {
    return FileChannel.open(path(), new OpenOption[] {option});
  }

  /** Opens a regular file as {@link #channel} does. */
  public static Handle regularFile(Path file, StandardOpenOption option) throws IOException {
    int access = option == StandardOpenOption.READ ? LibraryCalls.READ : LibraryCalls.WRITE;
    int flags = access | LibraryCalls.NO_LINK;
    int opened = LibraryCalls.open(LibraryCalls.HERE, LibraryCalls.bytes(file), flags, 0);
    Handle handle = new Handle(checked(opened, file.toString()));
    boolean isRegular = false;
    try {
      isRegular = handle.state().isRegularFile();
    } finally {
      if (!isRegular) {
        handle.close();
      }
    }
    if (!isRegular) {
      throw new FileSystemException(file.toString(), null, "is not a regular file");
    }
    return handle;
  }

  /** Returns another handle of the same file. */
  public Handle copy() throws IOException {
    return open(path());
  }

  /** Returns a path that leads to this file, in this process only, and as long as it is open. */
  public Path path() {
    return DESCRIPTORS.resolve(String.valueOf(descriptor));
  }

  /**
   * Returns a path that leads to this file in other processes of this user, too, as long as it is
   * open here.
   */
  public Path sharedPath() {
    return Path.of("/proc", String.valueOf(ProcessHandle.current().pid()), "fd")
        .resolve(String.valueOf(descriptor));
  }

  /** Returns the path that the file has now. */
  public Path location() throws IOException {
    return Files.readSymbolicLink(path());
  }

  /** Returns what the file is now. */
  public FileState state() throws IOException {
    return LibraryCalls.stat(descriptor, ITSELF);
  }

  /** Identifies the file among all files, as {@code stat --format %d:%i} prints it. */
  public String identity() throws IOException {
    return Files.getAttribute(path(), "unix:dev") + ":" + Files.getAttribute(path(), "unix:ino");
  }

  public void setOwner(int user) throws IOException {
    Files.setAttribute(path(), "unix:uid", user);
  }

  public void setPermissions(int mode) throws IOException {
    Files.setAttribute(path(), "unix:mode", mode);
  }

  /**
   * Opens what is beneath this directory.
   *
   * @param part relative, without {@code ..}
   * @throws NoSuchFileException it does not exist
   * @throws NotDirectoryException the path leads through a file or a link, or to a link
   */
  public Handle beneath(Path part) throws IOException {
    return beneath(part, -1);
  }

  /**
   * Opens a directory or file beneath this directory, and makes the directories that are missing.
   *
   * @param mode the permissions of directories that are made, despite the process's umask
   */
  public Handle makeBeneath(Path part, int mode) throws IOException {
    return beneath(part, mode);
  }

  private Handle beneath(Path part, int mode) throws IOException {
    Handle at = copy();
    for (Path name : part) {
      try (Handle above = at) {
        at = above.child(LibraryCalls.bytes(name), mode);
      }
    }
    return at;
  }

  private Handle child(byte[] name, int mode) throws IOException {
    int flags = LibraryCalls.HANDLE | LibraryCalls.NO_LINK;
    int opened = LibraryCalls.open(descriptor, name, flags, 0);
    boolean missing = opened == -LibraryCalls.ENOENT && mode >= 0;
    boolean made = missing && makeDirectory(name);
    if (missing) {
      opened = LibraryCalls.open(descriptor, name, flags, 0);
    }
    Handle child = new Handle(checked(opened, text(name)));
    try {
      if (child.state().isLink()) {
        throw new NotDirectoryException(text(name));
      }
      if (made) {
        child.setPermissions(mode);
      }
      return child;
    } catch (IOException | RuntimeException fault) {
      child.close();
      throw fault;
    }
  }

  /** Makes a directory in this one; false if another program was faster. */
  private boolean makeDirectory(byte[] name) throws IOException {
    int result = LibraryCalls.makeDirectory(descriptor, name, 0700);
    if (result != -LibraryCalls.EEXIST) {
      checked(result, text(name));
    }
    return result == 0;
  }

  /** Makes an empty file in this directory. */
  public void createFile(String name) throws IOException {
    byte[] bytes = LibraryCalls.bytes(Path.of(name));
    int flags = LibraryCalls.WRITE | LibraryCalls.CREATE | LibraryCalls.NO_LINK;
    LibraryCalls.close(checked(LibraryCalls.open(descriptor, bytes, flags, 0644), name));
  }

  /** Opens a directory in this directory; a negated errno if it is none. */
  int openDirectory(byte[] name) {
    int flags = LibraryCalls.HANDLE | LibraryCalls.DIRECTORY | LibraryCalls.NO_LINK;
    return LibraryCalls.open(descriptor, name, flags, 0);
  }

  static Handle of(int descriptor) {
    return new Handle(descriptor);
  }

  /** Lists this directory. */
  void list(LibraryCalls.Entries entries) throws IOException {
    int flags = LibraryCalls.READ | LibraryCalls.DIRECTORY;
    int opened = LibraryCalls.open(descriptor, new byte[] {'.'}, flags, 0);
    LibraryCalls.list(checked(opened, "a directory"), entries);
  }

  FileState state(byte[] name) throws IOException {
    return LibraryCalls.stat(descriptor, name);
  }

  int unlink(byte[] name, int flags) {
    return LibraryCalls.unlink(descriptor, name, flags);
  }

  int move(byte[] name, Handle to, byte[] toName) {
    return LibraryCalls.rename(descriptor, name, to.descriptor, toName);
  }

  static String text(byte[] name) {
    return new String(name, StandardCharsets.UTF_8);
  }

  private static int checked(int result, String file) throws IOException {
    if (result < 0) {
      throw LibraryCalls.fault(-result, file);
    }
    return result;
  }

  @Override
  public void close() {
    LibraryCalls.close(descriptor);
  }
}
