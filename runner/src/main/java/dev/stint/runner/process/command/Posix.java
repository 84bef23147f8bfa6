package dev.stint.runner.process.command;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stint.model.item.ItemText;
import dev.stint.runner.file.Errnos;
import dev.stint.runner.library.LibraryFunction;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls the C library (Linux, glibc or musl) to start and watch processes. Results are plain
 * numbers as the C library gives them: a negative result is a negated errno.
 */
public final class Posix {
  public static final int EPERM = 1;
  static final int EINTR = 4;
  public static final int ENOEXEC = 8;
  public static final int EAGAIN = 11;
  static final int ENOMEM = 12;
  static final int ENFILE = 23;
  static final int EMFILE = 24;

  private static final int O_RDWR = 2;
  private static final int CLOEXEC = 0x80000;
  private static final int EFD_NONBLOCK = 0x800;
  private static final long SYS_PIDFD_OPEN = 434;
  private static final int P_PID = 1;
  private static final int WEXITED = 4;
  private static final int WNOWAIT = 0x1000000;

  /** The first descriptor that is not for input, output or errors. */
  private static final int LOWEST = 3;

  /** The largest number of descriptors that {@link #spawn} can pass to a process. */
  private static final int MOST_FILES = 2;

  /**
   * The number of descriptors that other threads may open between a list of them and the start of a
   * process, within a millisecond or so. Each is the lowest that is free.
   */
  static final int OPENED_MEANWHILE = 256;

  /** An address. */
  private static final long NOTHING = 0;

  private static final long MOUNT_PLAIN = 2 | 4; // MS_NOSUID, MS_NODEV
  private static final long MOUNT_BIND = 0x1000 | 0x4000; // MS_BIND, MS_REC
  private static final long MOUNT_PRIVATE = 0x40000 | 0x4000; // MS_PRIVATE, MS_REC
  private static final int UNMOUNT = 2 | 8; // MNT_DETACH, UMOUNT_NOFOLLOW
  private static final int EPOLL_CTL_ADD = 1;
  private static final int EPOLL_CTL_DEL = 2;
  private static final int EPOLLIN = 1;
  private static final short SPAWN_FLAGS = 0x04 | 0x08 | 0x80; // SETSIGDEF, SETSIGMASK, SETSID

  // Larger than any C library's; the contents are private to it.
  private static final long ATTRIBUTES_SIZE = 512;
  private static final long ACTIONS_SIZE = 256;
  private static final long SIGNALS_SIZE = 128;

  private static final LibraryFunction SPAWN = LibraryFunction.of("posix_spawn");
  private static final LibraryFunction ATTR_INIT = LibraryFunction.of("posix_spawnattr_init");
  private static final LibraryFunction ATTR_FLAGS = LibraryFunction.of("posix_spawnattr_setflags");
  private static final LibraryFunction ATTR_DEFAULTS =
      LibraryFunction.of("posix_spawnattr_setsigdefault");
  private static final LibraryFunction ATTR_MASK = LibraryFunction.of("posix_spawnattr_setsigmask");
  private static final LibraryFunction SIGFILLSET = LibraryFunction.of("sigfillset");
  private static final LibraryFunction SIGEMPTYSET = LibraryFunction.of("sigemptyset");
  private static final LibraryFunction ACTIONS_INIT =
      LibraryFunction.of("posix_spawn_file_actions_init");
  private static final LibraryFunction ACTIONS_DESTROY =
      LibraryFunction.of("posix_spawn_file_actions_destroy");
  private static final LibraryFunction ADD_OPEN =
      LibraryFunction.of("posix_spawn_file_actions_addopen");
  private static final LibraryFunction ADD_DUP2 =
      LibraryFunction.of("posix_spawn_file_actions_adddup2");
  private static final LibraryFunction ADD_CLOSE =
      LibraryFunction.of("posix_spawn_file_actions_addclose");
  private static final @Nullable LibraryFunction ADD_CHDIR =
      LibraryFunction.find("posix_spawn_file_actions_addchdir_np").orElse(null);
  private static final Closing CLOSING =
      LibraryFunction.find("posix_spawn_file_actions_addclosefrom_np")
          .<Closing>map(closeFrom -> (actions, from) -> -closeFrom.call(actions, from))
          .orElse((actions, from) -> closeListed(actions, from, new File("/proc/self/fd").list()));
  private static final LibraryFunction KILL = LibraryFunction.of("kill");
  private static final LibraryFunction GETPGID = LibraryFunction.of("getpgid");
  private static final LibraryFunction PIPE = LibraryFunction.of("pipe2");
  private static final LibraryFunction WAITPID = LibraryFunction.of("waitpid");
  private static final LibraryFunction WAITID = LibraryFunction.of("waitid");
  private static final LibraryFunction CLOSE = LibraryFunction.of("close");
  private static final LibraryFunction EVENTFD = LibraryFunction.of("eventfd");
  private static final LibraryFunction EPOLL_CREATE = LibraryFunction.of("epoll_create1");
  private static final LibraryFunction EPOLL_CTL = LibraryFunction.of("epoll_ctl");
  private static final LibraryFunction EPOLL_WAIT = LibraryFunction.of("epoll_wait");
  private static final LibraryFunction READ = LibraryFunction.of("read");
  private static final LibraryFunction WRITE = LibraryFunction.of("write");
  private static final LibraryFunction MOUNT = LibraryFunction.of("mount");
  private static final LibraryFunction UMOUNT = LibraryFunction.of("umount2");
  private static final LibraryFunction SYSCALL = LibraryFunction.of("syscall");

  // The kernel packs epoll_event on x86 only.
  private static final boolean PACKED = System.getProperty("os.arch").equals("amd64");
  private static final long EVENT_SIZE = PACKED ? 12 : 16;
  private static final long EVENT_DATA = PACKED ? 4 : 8;

  private Posix() {}

  /** Closes this program's descriptors (its sockets, its store) in a process that it starts. */
  @FunctionalInterface
  interface Closing {
    /**
     * Adds that to the file actions of the process.
     *
     * @param from the first descriptor to close
     * @return 0, or a negated errno if some would stay open
     */
    int add(long actions, int from);
  }

  /** The end of a child. */
  public record WaitStatus(int raw) {
    public boolean isSignalled() {
      return (raw & 0x7f) != 0;
    }

    public int signal() {
      return raw & 0x7f;
    }

    /** Returns the code as a shell reports it. */
    public int code() {
      return isSignalled() ? 128 + signal() : (raw >> 8) & 0xff;
    }
  }

  /**
   * Starts a process as the leader of a session and process group of its own, with default signal
   * handlers, {@code /dev/null} for input and output, and no other files than the given ones.
   *
   * @param files descriptors that it has as 3 and up; none of them so low itself
   * @return the process ID, or a negated errno
   */
  public static int spawn(List<String> argv, List<String> environment, int... files) {
    return spawn(null, argv, environment, CLOSING, files);
  }

  /** True if the C library can start a process in another directory: glibc 2.29, musl 1.1.24. */
  public static boolean spawnsElsewhere() {
    return ADD_CHDIR != null;
  }

  /**
   * Starts a process as {@link #spawn(List, List, int...)} does, in another directory. Only if the
   * C library can.
   */
  public static int spawnIn(String directory, List<String> argv, List<String> environment) {
    return spawn(directory, argv, environment, CLOSING);
  }

  static int spawn(
      @Nullable String directory,
      List<String> argv,
      List<String> environment,
      Closing closing,
      int... files) {
    try (Arena arena = Arena.ofConfined()) {
      long attributes = attributes(arena);
      long actions = arena.allocate(ACTIONS_SIZE, 16).address();
      checked(ACTIONS_INIT.call(actions));
      try {
        for (int standard = 0; standard < 3; standard++) {
          open(arena, actions, standard);
        }
        for (int i = 0; i < files.length; i++) {
          int _ = ADD_DUP2.call(actions, files[i], LOWEST + i);
        }
        int open = closing.add(actions, LOWEST + files.length);
        if (open < 0) {
          return open;
        }
        if (directory != null && ADD_CHDIR != null) {
          checked(ADD_CHDIR.call(actions, text(arena, directory)));
        }
        MemorySegment pid = arena.allocate(JAVA_INT);
        long program = text(arena, argv.getFirst());
        long arguments = strings(arena, argv);
        long variables = strings(arena, environment);
        int error = SPAWN.call(pid.address(), program, actions, attributes, arguments, variables);
        return error == 0 ? pid.get(JAVA_INT, 0) : -error;
      } finally {
        checked(ACTIONS_DESTROY.call(actions));
      }
    }
  }

  /** Signals a process, or a group if {@code pid} is negative. */
  public static int kill(int pid, int signal) {
    return KILL.call(pid, signal);
  }

  /** Reaps a child, waiting for its end. Empty if it is not a child of ours. */
  public static Optional<WaitStatus> await(int pid) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment status = arena.allocate(JAVA_INT);
      int result;
      do {
        result = WAITPID.call(pid, status.address(), 0);
      } while (result == -EINTR);
      return result == pid
          ? Optional.of(new WaitStatus(status.get(JAVA_INT, 0)))
          : Optional.empty();
    }
  }

  /** Waits for a child's end without reaping it. False if it is not a child of ours. */
  public static boolean awaitUnreaped(int pid) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(SIGNALS_SIZE, 16);
      int result;
      do {
        result = WAITID.call(P_PID, pid, info.address(), WEXITED | WNOWAIT);
      } while (result == -EINTR);
      return result == 0;
    }
  }

  /** Returns a file descriptor that is readable once the process has ended. */
  public static int pidfdOpen(int pid) {
    return Math.toIntExact(SYSCALL.callLong(SYS_PIDFD_OPEN, pid, 0));
  }

  /**
   * Mounts a file system that is kept in memory.
   *
   * @param bytes its size; null for the system's default
   */
  public static int mountMemory(String directory, @Nullable Long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      long type = text(arena, "tmpfs");
      long options = text(arena, bytes == null ? "mode=0777" : "mode=0777,size=" + bytes);
      return MOUNT.call(type, text(arena, directory), type, MOUNT_PLAIN, options);
    }
  }

  /**
   * Mounts a directory or file at another path, with all that is mounted in it. Unmounting
   * something there later does not unmount it elsewhere.
   */
  public static int bind(String source, String target) {
    try (Arena arena = Arena.ofConfined()) {
      int result = mount(arena, text(arena, source), target, MOUNT_BIND);
      return result < 0 ? result : mount(arena, NOTHING, target, MOUNT_PRIVATE);
    }
  }

  private static int mount(Arena arena, long source, String target, long flags) {
    return MOUNT.call(source, text(arena, target), NOTHING, flags, NOTHING);
  }

  /**
   * Unmounts a path, now or once it is no longer in use. The source of a {@link #bind} stays
   * mounted in its first place.
   */
  public static int unmount(String path) {
    try (Arena arena = Arena.ofConfined()) {
      // A crash may have come between the two steps of binding.
      int _ = mount(arena, NOTHING, path, MOUNT_PRIVATE);
      return UMOUNT.call(text(arena, path), UNMOUNT);
    }
  }

  /** Returns the group of a process, or a negative number if it does not exist. */
  public static int groupOf(int pid) {
    return GETPGID.call(pid);
  }

  /** The two ends of a pipe, the one to read from first, fit to be passed to {@link #spawn}. */
  public record Pipe(int read, int write) {}

  /** Makes a pipe that no process inherits. */
  public static Pipe pipe() throws IOException {
    Pipe pipe = newPipe();
    if (Math.min(pipe.read, pipe.write) >= LOWEST + MOST_FILES) {
      return pipe;
    }
    try {
      return pipe();
    } finally {
      close(pipe.read);
      close(pipe.write);
    }
  }

  private static Pipe newPipe() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ends = arena.allocate(JAVA_INT, 2);
      int result = PIPE.call(ends.address(), CLOEXEC);
      if (result < 0) {
        throw new IOException("cannot make a pipe: " + Errnos.text(-result));
      }
      return new Pipe(ends.getAtIndex(JAVA_INT, 0), ends.getAtIndex(JAVA_INT, 1));
    }
  }

  /** Writes all of a few bytes to a pipe; returns their number, or a negated errno. */
  public static int write(int descriptor, byte[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      long data = arena.allocateFrom(JAVA_BYTE, bytes).address();
      return Math.toIntExact(WRITE.callLong(descriptor, data, bytes.length));
    }
  }

  /** Waits for bytes and reads those available; returns none at the end, or on failure. */
  public static byte[] read(int descriptor, int most) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate(most);
      long count = READ.callLong(descriptor, data.address(), most);
      return count <= 0 ? new byte[0] : data.asSlice(0, count).toArray(JAVA_BYTE);
    }
  }

  public static int close(int descriptor) {
    return CLOSE.call(descriptor);
  }

  public static int eventfd() {
    return EVENTFD.call(0, CLOEXEC | EFD_NONBLOCK);
  }

  /** Makes an eventfd readable. */
  public static void raise(int eventfd) {
    try (Arena arena = Arena.ofConfined()) {
      WRITE.callLong(eventfd, arena.allocateFrom(JAVA_LONG, 1L).address(), 8);
    }
  }

  /** Makes an eventfd unreadable again. */
  public static void lower(int eventfd) {
    try (Arena arena = Arena.ofConfined()) {
      READ.callLong(eventfd, arena.allocate(JAVA_LONG).address(), 8);
    }
  }

  public static int epoll() {
    return EPOLL_CREATE.call(CLOEXEC);
  }

  /** Watches a descriptor for becoming readable. */
  public static int epollAdd(int epoll, int descriptor) {
    return epollControl(epoll, EPOLL_CTL_ADD, descriptor);
  }

  /**
   * Stops watching a descriptor. Closing it is not enough while a process that is just being
   * started has a copy of it.
   */
  public static int epollRemove(int epoll, int descriptor) {
    return epollControl(epoll, EPOLL_CTL_DEL, descriptor);
  }

  private static int epollControl(int epoll, int operation, int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment event = arena.allocate(16, 8);
      event.set(JAVA_INT, 0, EPOLLIN);
      event.set(JAVA_INT, EVENT_DATA, descriptor);
      return EPOLL_CTL.call(epoll, operation, descriptor, event.address());
    }
  }

  /** Waits until some of the watched descriptors are readable, and returns them. */
  public static int[] epollWait(int epoll, int most) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment events = arena.allocate(EVENT_SIZE * most, 8);
      int count = EPOLL_WAIT.call(epoll, events.address(), most, -1);
      int[] readable = new int[Math.max(0, count)];
      for (int i = 0; i < readable.length; i++) {
        readable[i] = events.get(JAVA_INT_UNALIGNED, i * EVENT_SIZE + EVENT_DATA);
      }
      return readable;
    }
  }

  private static long attributes(Arena arena) {
    long attributes = arena.allocate(ATTRIBUTES_SIZE, 16).address();
    long signals = arena.allocate(SIGNALS_SIZE, 16).address();
    checked(ATTR_INIT.call(attributes));
    checked(ATTR_FLAGS.call(attributes, SPAWN_FLAGS));
    checked(SIGFILLSET.call(signals));
    checked(ATTR_DEFAULTS.call(attributes, signals));
    checked(SIGEMPTYSET.call(signals));
    checked(ATTR_MASK.call(attributes, signals));
    return attributes;
  }

  private static void open(Arena arena, long actions, int descriptor) {
    checked(ADD_OPEN.call(actions, descriptor, text(arena, "/dev/null"), O_RDWR, 0));
  }

  /**
   * Closes descriptors one by one, for a C library that has no function for that.
   *
   * @param open the numbers of those that were open a moment ago; null if they cannot be listed
   */
  static int closeListed(long actions, int from, String @Nullable [] open) {
    if (open == null) {
      return -EMFILE; // The list takes a descriptor, too.
    }
    int end = Stream.of(open).mapToInt(Integer::parseInt).max().orElse(0) + OPENED_MEANWHILE;
    for (int descriptor = from; descriptor <= end; descriptor++) {
      if (ADD_CLOSE.call(actions, descriptor) == ENOMEM) { // Others are beyond what can be open.
        return -ENOMEM;
      }
    }
    return 0;
  }

  /** Returns the address of a text that ends with a null byte. */
  private static long text(Arena arena, String text) {
    byte[] bytes = ItemText.bytes(text);
    MemorySegment copy = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, copy, JAVA_BYTE, 0, bytes.length);
    return copy.address();
  }

  /** Returns the address of a null-terminated array of null-terminated strings. */
  private static long strings(Arena arena, List<String> texts) {
    long[] addresses = new long[texts.size() + 1];
    for (int i = 0; i < texts.size(); i++) {
      addresses[i] = text(arena, texts.get(i));
    }
    return arena.allocateFrom(JAVA_LONG, addresses).address();
  }

  private static void checked(int result) {
    if (result != 0) {
      throw new IllegalStateException("the C library failed with " + result);
    }
  }
}
