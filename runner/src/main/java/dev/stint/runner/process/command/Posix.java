package dev.stint.runner.process.command;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Calls the C library (Linux, glibc or musl) to start and watch processes. Results are plain
 * numbers as the C library gives them: a negative result is a negated errno.
 */
public final class Posix {
  public static final int EPERM = 1;
  static final int EINTR = 4;
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

  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup LIBRARY = LINKER.defaultLookup();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle SPAWN =
      plain("posix_spawn", ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
  private static final MethodHandle ATTR_INIT = plain("posix_spawnattr_init", ADDRESS);
  private static final MethodHandle ATTR_FLAGS =
      plain("posix_spawnattr_setflags", ADDRESS, JAVA_SHORT);
  private static final MethodHandle ATTR_DEFAULTS =
      plain("posix_spawnattr_setsigdefault", ADDRESS, ADDRESS);
  private static final MethodHandle ATTR_MASK =
      plain("posix_spawnattr_setsigmask", ADDRESS, ADDRESS);
  private static final MethodHandle SIGFILLSET = plain("sigfillset", ADDRESS);
  private static final MethodHandle SIGEMPTYSET = plain("sigemptyset", ADDRESS);
  private static final MethodHandle ACTIONS_INIT = plain("posix_spawn_file_actions_init", ADDRESS);
  private static final MethodHandle ACTIONS_DESTROY =
      plain("posix_spawn_file_actions_destroy", ADDRESS);
  private static final MethodHandle ADD_OPEN =
      plain("posix_spawn_file_actions_addopen", ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle ADD_DUP2 =
      plain("posix_spawn_file_actions_adddup2", ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle ADD_CLOSE =
      plain("posix_spawn_file_actions_addclose", ADDRESS, JAVA_INT);
  private static final @Nullable MethodHandle ADD_CLOSE_FROM =
      find("posix_spawn_file_actions_addclosefrom_np")
          .map(symbol -> handle(symbol, ADDRESS, JAVA_INT))
          .orElse(null);
  private static final MethodHandle KILL = failing("kill", JAVA_INT, JAVA_INT);
  private static final MethodHandle GETPGID = plain("getpgid", JAVA_INT);
  private static final MethodHandle PIPE = failing("pipe2", ADDRESS, JAVA_INT);
  private static final MethodHandle WAITPID = failing("waitpid", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle WAITID =
      failing("waitid", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle CLOSE = failing("close", JAVA_INT);
  private static final MethodHandle EVENTFD = failing("eventfd", JAVA_INT, JAVA_INT);
  private static final MethodHandle EPOLL_CREATE = failing("epoll_create1", JAVA_INT);
  private static final MethodHandle EPOLL_CTL =
      failing("epoll_ctl", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle EPOLL_WAIT =
      failing("epoll_wait", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle READ =
      LINKER.downcallHandle(
          symbol("read"), FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle WRITE =
      LINKER.downcallHandle(
          symbol("write"),
          FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle MOUNT =
      LINKER.downcallHandle(
          symbol("mount"),
          FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle UMOUNT = failing("umount2", ADDRESS, JAVA_INT);
  private static final MethodHandle SYSCALL =
      LINKER.downcallHandle(
          symbol("syscall"),
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
          Linker.Option.firstVariadicArg(1),
          Linker.Option.captureCallState("errno"));

  // The kernel packs epoll_event on x86 only.
  private static final boolean PACKED = System.getProperty("os.arch").equals("amd64");
  private static final long EVENT_SIZE = PACKED ? 12 : 16;
  private static final long EVENT_DATA = PACKED ? 4 : 8;

  private Posix() {}

  /** The end of a child. */
  public record WaitStatus(int raw) {
    public boolean signalled() {
      return (raw & 0x7f) != 0;
    }

    public int signal() {
      return raw & 0x7f;
    }

    /** Returns the code as a shell reports it. */
    public int code() {
      return signalled() ? 128 + signal() : (raw >> 8) & 0xff;
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
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = attributes(arena);
      MemorySegment actions = arena.allocate(ACTIONS_SIZE, 16);
      call(ACTIONS_INIT, actions);
      try {
        for (int standard = 0; standard < 3; standard++) {
          open(arena, actions, standard);
        }
        for (int i = 0; i < files.length; i++) {
          int _ = (int) ADD_DUP2.invokeExact(actions, files[i], LOWEST + i);
        }
        closeOthers(actions, LOWEST + files.length);
        MemorySegment pid = arena.allocate(JAVA_INT);
        int error =
            (int)
                SPAWN.invokeExact(
                    pid,
                    arena.allocateFrom(argv.getFirst()),
                    actions,
                    attributes,
                    strings(arena, argv),
                    strings(arena, environment));
        return error == 0 ? pid.get(JAVA_INT, 0) : -error;
      } finally {
        call(ACTIONS_DESTROY, actions);
      }
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  /** Signals a process, or a group if {@code pid} is negative. */
  public static int kill(int pid, int signal) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      return result((int) KILL.invokeExact(state, pid, signal), state);
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  /** Reaps a child, waiting for its end. Empty if it is not a child of ours. */
  public static Optional<WaitStatus> await(int pid) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      MemorySegment status = arena.allocate(JAVA_INT);
      int result;
      do {
        result = result((int) WAITPID.invokeExact(state, pid, status, 0), state);
      } while (result == -EINTR);
      return result == pid
          ? Optional.of(new WaitStatus(status.get(JAVA_INT, 0)))
          : Optional.empty();
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  /** Waits for a child's end without reaping it. False if it is not a child of ours. */
  public static boolean awaitUnreaped(int pid) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      MemorySegment info = arena.allocate(SIGNALS_SIZE, 16);
      int result;
      do {
        result =
            result((int) WAITID.invokeExact(state, P_PID, pid, info, WEXITED | WNOWAIT), state);
      } while (result == -EINTR);
      return result == 0;
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  /** Returns a file descriptor that is readable once the process has ended. */
  public static int pidfdOpen(int pid) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      return result(
          Math.toIntExact((long) SYSCALL.invokeExact(state, SYS_PIDFD_OPEN, (long) pid, 0L)),
          state);
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  /**
   * Mounts a file system that is kept in memory.
   *
   * @param bytes its size; null for the system's default
   */
  public static int mountMemory(String directory, @Nullable Long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      MemorySegment type = arena.allocateFrom("tmpfs");
      String options = bytes == null ? "mode=0777" : "mode=0777,size=" + bytes;
      return result(
          (int)
              MOUNT.invokeExact(
                  state,
                  type,
                  arena.allocateFrom(directory),
                  type,
                  MOUNT_PLAIN,
                  arena.allocateFrom(options)),
          state);
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  /**
   * Mounts a directory or file at another path, with all that is mounted in it. What is unmounted
   * there later stays mounted elsewhere.
   */
  public static int bind(String source, String target) {
    try (Arena arena = Arena.ofConfined()) {
      int result = mount(arena, arena.allocateFrom(source), target, MOUNT_BIND);
      return result < 0 ? result : mount(arena, MemorySegment.NULL, target, MOUNT_PRIVATE);
    }
  }

  private static int mount(Arena arena, MemorySegment source, String target, long flags) {
    try {
      MemorySegment state = arena.allocate(STATE);
      MemorySegment none = MemorySegment.NULL;
      MemorySegment path = arena.allocateFrom(target);
      return result((int) MOUNT.invokeExact(state, source, path, none, flags, none), state);
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  /**
   * Unmounts a path, now or once it is no longer in use. What was mounted with {@link #bind} stays
   * mounted in its first place.
   */
  public static int unmount(String path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      // A crash may have come between the two steps of binding.
      int _ = mount(arena, MemorySegment.NULL, path, MOUNT_PRIVATE);
      return result((int) UMOUNT.invokeExact(state, arena.allocateFrom(path), UNMOUNT), state);
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  /** Returns the group of a process, or a negative number if it does not exist. */
  public static int groupOf(int pid) {
    try {
      return (int) GETPGID.invokeExact(pid);
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  /** The two ends of a pipe, the one to read from first, fit to be passed to {@link #spawn}. */
  public record Pipe(int read, int write) {}

  /** Makes a pipe that no process inherits. */
  public static Pipe pipe() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      MemorySegment ends = arena.allocate(JAVA_INT, 2);
      int result = result((int) PIPE.invokeExact(state, ends, CLOEXEC), state);
      if (result < 0) {
        throw new IOException("pipe2 failed with errno " + -result);
      }
      Pipe pipe = new Pipe(ends.getAtIndex(JAVA_INT, 0), ends.getAtIndex(JAVA_INT, 1));
      if (Math.min(pipe.read, pipe.write) >= LOWEST + MOST_FILES) {
        return pipe;
      }
      try {
        return pipe();
      } finally {
        close(pipe.read);
        close(pipe.write);
      }
    } catch (IOException fault) {
      throw fault;
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  /** Writes all of a few bytes to a pipe; returns their number, or a negated errno. */
  public static int write(int descriptor, byte[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      MemorySegment data = arena.allocateFrom(JAVA_BYTE, bytes);
      return result(
          Math.toIntExact((long) WRITE.invokeExact(state, descriptor, data, (long) bytes.length)),
          state);
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  /** Waits for bytes and reads those available; returns none at the end, or on failure. */
  public static byte[] read(int descriptor, int most) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate(most);
      long count = (long) READ.invokeExact(descriptor, data, (long) most);
      return count <= 0 ? new byte[0] : data.asSlice(0, count).toArray(JAVA_BYTE);
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  public static int close(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      return result((int) CLOSE.invokeExact(state, descriptor), state);
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  public static int eventfd() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      return result((int) EVENTFD.invokeExact(state, 0, CLOEXEC | EFD_NONBLOCK), state);
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  /** Makes an eventfd readable. */
  public static void raise(int eventfd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      MemorySegment one = arena.allocateFrom(JAVA_LONG, 1L);
      long _ = (long) WRITE.invokeExact(state, eventfd, one, 8L);
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  /** Makes an eventfd unreadable again. */
  public static void lower(int eventfd) {
    try (Arena arena = Arena.ofConfined()) {
      long _ = (long) READ.invokeExact(eventfd, arena.allocate(JAVA_LONG), 8L);
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  public static int epoll() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      return result((int) EPOLL_CREATE.invokeExact(state, CLOEXEC), state);
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
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
      MemorySegment state = arena.allocate(STATE);
      MemorySegment event = arena.allocate(16, 8);
      event.set(JAVA_INT, 0, EPOLLIN);
      event.set(JAVA_INT, EVENT_DATA, descriptor);
      return result((int) EPOLL_CTL.invokeExact(state, epoll, operation, descriptor, event), state);
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  /** Waits until some of the watched descriptors are readable, and returns them. */
  public static int[] epollWait(int epoll, int most) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      MemorySegment events = arena.allocate(EVENT_SIZE * most, 8);
      int count = result((int) EPOLL_WAIT.invokeExact(state, epoll, events, most, -1), state);
      int[] readable = new int[Math.max(0, count)];
      for (int i = 0; i < readable.length; i++) {
        readable[i] =
            events.get(
                java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED, i * EVENT_SIZE + EVENT_DATA);
      }
      return readable;
    } catch (Throwable fault) {
      throw unexpected(fault);
    }
  }

  private static MemorySegment attributes(Arena arena) throws Throwable {
    MemorySegment attributes = arena.allocate(ATTRIBUTES_SIZE, 16);
    MemorySegment signals = arena.allocate(SIGNALS_SIZE, 16);
    call(ATTR_INIT, attributes);
    int flagged = (int) ATTR_FLAGS.invokeExact(attributes, SPAWN_FLAGS);
    call(SIGFILLSET, signals);
    int defaulted = (int) ATTR_DEFAULTS.invokeExact(attributes, signals);
    call(SIGEMPTYSET, signals);
    int masked = (int) ATTR_MASK.invokeExact(attributes, signals);
    if (flagged != 0 || defaulted != 0 || masked != 0) {
      throw new IllegalStateException("the C library refuses the attributes of a new process");
    }
    return attributes;
  }

  private static void open(Arena arena, MemorySegment actions, int descriptor) throws Throwable {
    MemorySegment nothing = arena.allocateFrom("/dev/null");
    int error = (int) ADD_OPEN.invokeExact(actions, descriptor, nothing, O_RDWR, 0);
    if (error != 0) {
      throw new IllegalStateException("the C library failed with " + error);
    }
  }

  /** Closes the descriptors of this program (its sockets, its store) in the container's process. */
  private static void closeOthers(MemorySegment actions, int from) throws Throwable {
    if (ADD_CLOSE_FROM != null) {
      int _ = (int) ADD_CLOSE_FROM.invokeExact(actions, from);
      return;
    }
    String[] open = new File("/proc/self/fd").list();
    for (String descriptor : open == null ? new String[0] : open) {
      if (Integer.parseInt(descriptor) >= from) {
        int _ = (int) ADD_CLOSE.invokeExact(actions, Integer.parseInt(descriptor));
      }
    }
  }

  /** Builds a null-terminated array of null-terminated strings. */
  private static MemorySegment strings(Arena arena, List<String> texts) {
    MemorySegment array = arena.allocate(ADDRESS, texts.size() + 1L);
    for (int i = 0; i < texts.size(); i++) {
      array.setAtIndex(ADDRESS, i, arena.allocateFrom(texts.get(i)));
    }
    array.setAtIndex(ADDRESS, texts.size(), MemorySegment.NULL);
    return array;
  }

  private static void call(MethodHandle function, MemorySegment argument) throws Throwable {
    int result = (int) function.invokeExact(argument);
    if (result != 0) {
      throw new IllegalStateException("the C library failed with " + result);
    }
  }

  private static int result(int result, MemorySegment state) {
    return result < 0 ? -(int) ERRNO.get(state, 0L) : result;
  }

  private static MethodHandle plain(String name, MemoryLayout... arguments) {
    return handle(symbol(name), arguments);
  }

  private static MethodHandle handle(MemorySegment symbol, MemoryLayout... arguments) {
    return LINKER.downcallHandle(symbol, FunctionDescriptor.of(JAVA_INT, arguments));
  }

  /** Links a function that reports failures through errno. */
  private static MethodHandle failing(String name, MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        symbol(name),
        FunctionDescriptor.of(JAVA_INT, arguments),
        Linker.Option.captureCallState("errno"));
  }

  private static Optional<MemorySegment> find(String name) {
    return LIBRARY.find(name);
  }

  private static MemorySegment symbol(String name) {
    return find(name).orElseThrow(() -> new UnsatisfiedLinkError("the C library has no " + name));
  }

  private static RuntimeException unexpected(Throwable fault) {
    if (fault instanceof Error error) {
      throw error;
    }
    return fault instanceof RuntimeException runtime ? runtime : new IllegalStateException(fault);
  }
}
