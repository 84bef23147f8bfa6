package dev.stint.runner.file;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.stint.runner.library.LibraryFunction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/**
 * Calls the C library for files beneath an open directory. A negative result is a negated errno.
 * Names are the system's bytes: those that a pod chooses need not be text.
 */
final class LibraryCalls {
  static final int ENOENT = 2;
  static final int EAGAIN = 11;
  static final int EACCES = 13;
  static final int EEXIST = 17;
  static final int ENOTDIR = 20;
  static final int EISDIR = 21;
  static final int ENOTEMPTY = 39;
  static final int ELOOP = 40;

  static final int HERE = -100; // AT_FDCWD
  static final int READ = 0;
  static final int WRITE = 1;
  static final int CREATE = 0100 | 0200; // O_CREAT, O_EXCL
  static final int HANDLE = 010000000; // O_PATH

  /** These two differ between the processors that Linux supports. */
  static final int DIRECTORY = isArm() ? 040000 : 0200000;

  static final int NO_LINK = isArm() ? 0100000 : 0400000;
  static final int REMOVE_DIRECTORY = 0x200;
  private static final int NONBLOCK = 04000;
  private static final int CLOEXEC = 02000000;

  private static final int EMPTY_PATH = 0x1000;
  private static final int STAT_NO_LINK = 0x100;
  private static final int NO_AUTOMOUNT = 0x800;
  private static final int STATX_MNT_ID = 0x1000;
  private static final int BASIC_AND_MOUNT = 0x7ff | STATX_MNT_ID;

  /** Older C libraries have no function for it. */
  private static final long SYS_STATX = isArm() ? 291 : 332;

  private static final long STATX_SIZE = 256;

  /** The offset of the name in an entry of a directory, and the size of the longest entry. */
  private static final long NAME = 19;

  private static final long ENTRY_SIZE = NAME + 256;

  private static final LibraryFunction OPENAT = LibraryFunction.of("openat");
  private static final LibraryFunction CLOSE = LibraryFunction.of("close");
  private static final LibraryFunction MKDIRAT = LibraryFunction.of("mkdirat");
  private static final LibraryFunction UNLINKAT = LibraryFunction.of("unlinkat");
  private static final LibraryFunction RENAMEAT = LibraryFunction.of("renameat");
  private static final LibraryFunction SYSCALL = LibraryFunction.of("syscall");
  private static final LibraryFunction FDOPENDIR = LibraryFunction.of("fdopendir");
  private static final LibraryFunction READDIR = LibraryFunction.of("readdir");
  private static final LibraryFunction CLOSEDIR = LibraryFunction.of("closedir");

  private LibraryCalls() {}

  private static boolean isArm() {
    return System.getProperty("os.arch").equals("aarch64");
  }

  /** Receives the entries of a directory. */
  @FunctionalInterface
  interface Entries {
    /** Returns true to receive more. */
    boolean next(byte[] name) throws IOException;
  }

  /** Opens a file; never waits for one, and no process inherits it. */
  static int open(int directory, byte[] name, int flags, int mode) {
    try (Arena arena = Arena.ofConfined()) {
      int all = flags | CLOEXEC | ((flags & HANDLE) == 0 ? NONBLOCK : 0);
      return OPENAT.call(directory, text(arena, name), all, mode);
    }
  }

  static void close(int descriptor) {
    CLOSE.call(descriptor);
  }

  static int makeDirectory(int directory, byte[] name, int mode) {
    try (Arena arena = Arena.ofConfined()) {
      return MKDIRAT.call(directory, text(arena, name), mode);
    }
  }

  static int unlink(int directory, byte[] name, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      return UNLINKAT.call(directory, text(arena, name), flags);
    }
  }

  static int rename(int directory, byte[] name, int toDirectory, byte[] toName) {
    try (Arena arena = Arena.ofConfined()) {
      return RENAMEAT.call(directory, text(arena, name), toDirectory, text(arena, toName));
    }
  }

  /**
   * Reads what a file is; an empty name stands for the open file itself. Does not follow links.
   *
   * @throws IOException it does not exist any more
   */
  static FileState stat(int directory, byte[] name) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment found = arena.allocate(STATX_SIZE, 8);
      int flags = STAT_NO_LINK | NO_AUTOMOUNT | (name.length == 0 ? EMPTY_PATH : 0);
      long path = text(arena, name);
      long result =
          SYSCALL.callLong(SYS_STATX, directory, path, flags, BASIC_AND_MOUNT, found.address());
      if (result < 0) {
        throw fault(Math.toIntExact(-result), new String(name, StandardCharsets.UTF_8));
      }
      boolean mounted = (found.get(JAVA_INT_UNALIGNED, 0) & STATX_MNT_ID) != 0;
      long device =
          ((long) found.get(JAVA_INT_UNALIGNED, 136) << 32) | found.get(JAVA_INT_UNALIGNED, 140);
      return new FileState(
          found.get(JAVA_SHORT_UNALIGNED, 28) & 0xffff,
          found.get(JAVA_LONG_UNALIGNED, 40),
          mounted ? found.get(JAVA_LONG_UNALIGNED, 144) : device);
    }
  }

  /**
   * Lists an open directory, without the entries for itself and its parent.
   *
   * @param descriptor is closed
   */
  static void list(int descriptor, Entries entries) throws IOException {
    long stream = FDOPENDIR.callLong(descriptor);
    if (stream == 0) {
      close(descriptor);
      throw new IOException("cannot list a directory");
    }
    try {
      boolean more = true;
      while (more) {
        MemorySegment entry = MemorySegment.ofAddress(READDIR.callLong(stream));
        more = entry.address() != 0 && next(name(entry.reinterpret(ENTRY_SIZE)), entries);
      }
    } finally {
      CLOSEDIR.call(stream);
    }
  }

  private static boolean next(byte[] name, Entries entries) throws IOException {
    boolean dots = name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'));
    return dots || entries.next(name);
  }

  private static byte[] name(MemorySegment entry) {
    long end = NAME;
    while (entry.get(JAVA_BYTE, end) != 0) {
      end++;
    }
    return entry.asSlice(NAME, end - NAME).toArray(JAVA_BYTE);
  }

  /** Returns the exception for an errno. */
  static IOException fault(int errno, String file) {
    return switch (errno) {
      case ENOENT -> new NoSuchFileException(file);
      case EEXIST -> new FileAlreadyExistsException(file);
      case ENOTDIR -> new NotDirectoryException(file);
      case ENOTEMPTY -> new DirectoryNotEmptyException(file);
      case EACCES -> new AccessDeniedException(file);
      case EAGAIN -> new FileSystemException(file, null, "is leased by a process");
      case ELOOP -> new FileSystemException(file, null, "is a link");
      default -> new FileSystemException(file, null, Errnos.text(errno));
    };
  }

  static byte[] bytes(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the address of a copy that ends with a null byte. */
  private static long text(Arena arena, byte[] bytes) {
    MemorySegment text = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, text, JAVA_BYTE, 0, bytes.length);
    return text.address();
  }
}
