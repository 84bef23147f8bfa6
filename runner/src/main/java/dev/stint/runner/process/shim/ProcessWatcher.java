package dev.stint.runner.process.shim;

import dev.stint.runner.process.command.Posix;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of the process runtime. It runs submitted tasks in order, and watches for the ends
 * of processes.
 */
public final class ProcessWatcher implements Executor, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessWatcher.class);
  private static final int EVENTS_AT_ONCE = 64;
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean raised = new AtomicBoolean();
  private final Map<Integer, Runnable> watched = new HashMap<>();
  private final Map<Integer, Runnable> listened = new HashMap<>();
  private final boolean usePidfds;
  private final int epoll = opened(Posix.epoll(), "epoll_create1");
  private final int wake = opened(Posix.eventfd(), "eventfd");
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Starts the thread.
   *
   * @param usePidfds true to watch processes by pidfds; false to wait in a thread per process, as
   *     on a kernel without pidfds (before Linux 5.3)
   */
  public ProcessWatcher(boolean usePidfds) {
    this.usePidfds = usePidfds;
    opened(Posix.epollAdd(epoll, wake), "epoll_ctl");
    this.thread = Thread.ofPlatform().daemon().name("stint-processes").unstarted(this::run);
    thread.start();
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    if (raised.compareAndSet(false, true)) {
      synchronized (this) {
        if (!closed) {
          Posix.raise(wake);
        }
      }
    }
  }

  /**
   * Calls back once the process has ended, before a child of ours is reaped. Runs, and must be
   * called, on the watcher's thread.
   */
  public void watch(int pid, Runnable ended) {
    int pidfd = usePidfds ? Posix.pidfdOpen(pid) : -1;
    if (pidfd >= 0 && Posix.epollAdd(epoll, pidfd) >= 0) {
      watched.put(pidfd, ended);
      return;
    }
    if (pidfd >= 0) {
      Posix.close(pidfd);
    }
    Thread.ofPlatform()
        .daemon()
        .name("stint-process-" + pid)
        .start(() -> {
          awaitEnd(pid);
          execute(ended);
        });
  }

  /**
   * Calls back on the watcher's thread whenever a descriptor is readable. The caller still owns the
   * descriptor. Must be called on the watcher's thread.
   */
  void listen(int descriptor, Runnable readable) {
    opened(Posix.epollAdd(epoll, descriptor), "epoll_ctl");
    listened.put(descriptor, readable);
  }

  /** Stops watching; the processes continue. The next start finds those that end from now on. */
  @Override
  public void close() {
    execute(() -> closed = true);
    try {
      if (Thread.currentThread() != thread && !thread.join(SHUTDOWN_TIMEOUT)) {
        LOG.warn("The thread that watches processes did not stop; continuing without it");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (!closed) {
      for (int descriptor : Posix.epollWait(epoll, EVENTS_AT_ONCE)) {
        if (descriptor == wake) {
          runTasks();
        } else if (listened.containsKey(descriptor)) {
          attempt(listened.get(descriptor));
        } else {
          Runnable ended = watched.remove(descriptor);
          // First, lest the next process with this descriptor is taken to have ended, too.
          Posix.epollRemove(epoll, descriptor);
          Posix.close(descriptor);
          if (ended != null) {
            attempt(ended);
          }
        }
      }
    }
    synchronized (this) {
      watched.keySet().forEach(Posix::close);
      Posix.close(wake);
      Posix.close(epoll);
    }
  }

  private void runTasks() {
    Posix.lower(wake);
    raised.set(false);
    for (Runnable task = tasks.poll(); task != null && !closed; task = tasks.poll()) {
      attempt(task);
    }
  }

  private static void attempt(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error fault) {
      LOG.error("A task of the process runtime failed; continuing with the next", fault);
    }
  }

  private static void awaitEnd(int pid) {
    if (!Posix.awaitUnreaped(pid)) {
      try {
        while (Posix.kill(pid, 0) >= 0) {
          Thread.sleep(POLL);
        }
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static int opened(int result, String call) {
    if (result < 0) {
      throw new IllegalStateException(call + " failed with errno " + -result);
    }
    return result;
  }
}
