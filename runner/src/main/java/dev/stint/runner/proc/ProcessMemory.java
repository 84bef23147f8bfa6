package dev.stint.runner.proc;

import dev.stint.cluster.Timers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads command lines and environments of processes. The kernel takes them from the memory of the
 * process, and waits while the process changes that: one that changes it by a file system of its
 * own can make the reader wait for ever, and no signal ends that.
 *
 * <p>So threads of this class's own read. A thread that takes too long is given up, and another one
 * goes on with the next process. The process is not asked again until its read has returned, and
 * the processes of one user hold few threads.
 */
public final class ProcessMemory {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessMemory.class);

  /** A sound read takes microseconds, or some disk accesses if the memory was swapped out. */
  static final Duration LIMIT = Duration.ofSeconds(1);

  /** Threads cost little while they wait, and the processes of many users may hold some. */
  private static final int MOST_THREADS = 64;

  /** The number of reads that may hang at once; beyond that, no process is asked. */
  static final int MOST_HELD = MOST_THREADS - 4;

  /** The number of these that may be of one user, so that a hostile one does not hold them all. */
  static final int MOST_OF_USER = 2;

  /**
   * The number of bytes to read of a part. The kernel starts no program with more than 6 MiB of
   * arguments and variables, but a process may declare any of its memory to be these afterwards.
   */
  static final int MOST_BYTES = 8 << 20;

  /** A file of a process that holds what its memory has. */
  public enum Part {
    COMMAND_LINE("cmdline"),
    ENVIRONMENT("environ");

    private final String file;

    Part(String file) {
      this.file = file;
    }
  }

  /** Reads a part of a process; it may block for ever. */
  @FunctionalInterface
  public interface Reader {
    /**
     * Returns the words, each with a NUL behind it; empty for a process that has ended.
     *
     * @throws IOException the process has ended, or may not be read
     */
    String read(int pid, Part part) throws IOException;
  }

  /** Looks at one process. */
  @FunctionalInterface
  public interface Look<T> {
    /**
     * Returns what is found.
     *
     * @throws IOException nothing is found: the process has ended, or may not be read
     */
    Optional<T> at(int pid, Reader memory) throws IOException;
  }

  /**
   * The outcome of a look at several processes.
   *
   * @param complete false if some were not asked, or have not answered
   */
  public record Seen<T>(List<T> found, boolean complete) {}

  /** A process whose read hangs. Its start tells it from the next one with its number. */
  private record Held(int pid, long start, long user) {}

  private final Timers timers;
  private final Reader reader;
  private final IntToLongFunction users;
  private final List<Held> held = new CopyOnWriteArrayList<>();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          MOST_THREADS,
          MOST_THREADS,
          10,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("stint-process-memory").factory());

  /** Reads the processes of this machine. */
  public ProcessMemory(Timers timers) {
    this(timers, ProcessMemory::text);
  }

  /**
   * Creates an instance for tests.
   *
   * @param reader reads in place of the machine's files
   */
  public ProcessMemory(Timers timers, Reader reader) {
    this(timers, reader, ProcessMemory::user);
  }

  ProcessMemory(Timers timers, Reader reader, IntToLongFunction users) {
    this.timers = timers;
    this.reader = reader;
    this.users = users;
    threads.allowCoreThreadTimeOut(true);
  }

  private static String text(int pid, Part part) throws IOException {
    try (InputStream text = Files.newInputStream(Path.of("/proc/" + pid + "/" + part.file))) {
      return text(text);
    }
  }

  static String text(InputStream text) throws IOException {
    return new String(text.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
  }

  /** Returns the real user, which a process of another user cannot change; -1 if it has ended. */
  private static long user(int pid) {
    try {
      return ProcStatus.of(pid).realUser();
    } catch (IOException ended) {
      return -1;
    }
  }

  /**
   * Looks at processes, one after the other, on another thread.
   *
   * @param pids lists them; called on that thread
   * @param late runs each time that a read returns after all which was given up
   */
  public <T> CompletableFuture<Seen<T>> look(
      Supplier<Stream<Integer>> pids, Look<T> look, Runnable late) {
    Scan<T> scan = new Scan<>(pids, look, late);
    scan.goOn();
    return scan.result;
  }

  private Held identity(int pid) {
    return new Held(pid, ProcessTable.startTime(pid).orElse(-1), users.applyAsLong(pid));
  }

  /** True if a process may be asked: its read is not known to hang. */
  private boolean mayAsk(int pid) {
    if (held.isEmpty()) {
      return true;
    }
    Held asked = identity(pid);
    return held.size() < MOST_HELD
        && !held.contains(asked)
        && held.stream().filter(each -> each.user() == asked.user()).count() < MOST_OF_USER;
  }

  /** One look at several processes, by one thread at a time. */
  private final class Scan<T> {
    private final Supplier<Stream<Integer>> pids;
    private final Look<T> look;
    private final Runnable late;
    private final CompletableFuture<Seen<T>> result = new CompletableFuture<>();
    private final List<T> found = new ArrayList<>();
    private boolean complete = true;
    private @Nullable Iterator<Integer> rest;
    private @Nullable Turn turn;

    /** The number of processes that were asked, and the last of them. */
    private int asked;

    private int pid;
    private Runnable cancelCheck = () -> {};

    Scan(Supplier<Stream<Integer>> pids, Look<T> look, Runnable late) {
      this.pids = pids;
      this.look = look;
      this.late = late;
    }

    /** Gives the processes that were not asked yet to another thread. */
    synchronized void goOn() {
      turn = new Turn();
      threads.execute(turn);
      checkLater();
    }

    private void checkLater() {
      int before = asked;
      cancelCheck = timers.after(LIMIT, () -> check(before));
    }

    /** Gives the thread up if it still reads of the same process, or has not begun. */
    private void check(int before) {
      if (isStuckWithoutThread(before)) {
        finish();
      }
    }

    /** True if no thread was free for the scan; goes on with another one if its thread is stuck. */
    private synchronized boolean isStuckWithoutThread(int before) {
      Turn current = turn;
      if (result.isDone() || current == null) {
        return false;
      }
      if (asked != before) {
        checkLater();
        return false;
      }
      complete = false;
      if (current.begun) {
        giveUp(current);
      }
      return !current.begun;
    }

    private void giveUp(Turn stuck) {
      LOG.warn("Process {} does not let its memory be read; going on without it", pid);
      Held identity = identity(pid);
      stuck.held = identity;
      held.add(identity);
      goOn();
    }

    /** Returns the next process; empty for a thread that was given up, and after the last. */
    private synchronized Optional<Integer> next(Turn asking) {
      asking.begun = true;
      if (turn != asking || result.isDone()) {
        return Optional.empty();
      }
      if (rest == null) {
        rest = pids.get().iterator();
      }
      while (rest.hasNext()) {
        pid = rest.next();
        asked++;
        if (mayAsk(pid)) {
          return Optional.of(pid);
        }
        complete = false;
      }
      return Optional.empty();
    }

    private synchronized void add(Turn asking, Optional<T> seen) {
      if (turn == asking) {
        seen.ifPresent(found::add);
      }
    }

    private void finish() {
      Seen<T> seen;
      synchronized (this) {
        cancelCheck.run();
        seen = new Seen<>(List.copyOf(found), complete);
      }
      result.complete(seen);
    }

    /** The part of one thread. */
    private final class Turn implements Runnable {
      private boolean begun;
      private @Nullable Held held;

      @Override
      public void run() {
        try {
          for (Optional<Integer> next = next(this); next.isPresent(); next = next(this)) {
            add(this, seen(next.get()));
          }
        } catch (RuntimeException | Error fault) {
          fail(fault);
        }
        end();
      }

      private Optional<T> seen(int pid) {
        try {
          return look.at(pid, reader);
        } catch (IOException endedOrNotOurs) {
          return Optional.empty();
        }
      }

      private void fail(Throwable fault) {
        if (held() == null) {
          result.completeExceptionally(fault);
        }
      }

      private @Nullable Held held() {
        synchronized (Scan.this) {
          return held;
        }
      }

      private void end() {
        Held mine = held();
        if (mine == null) {
          finish();
        } else {
          ProcessMemory.this.held.remove(mine);
          late.run();
        }
      }
    }
  }
}
