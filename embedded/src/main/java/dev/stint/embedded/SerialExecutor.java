package dev.stint.embedded;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A serial executor on one daemon thread. A task that throws is a bug: it is logged, and the next
 * task runs. Tasks that arrive after the end are dropped.
 *
 * <p>To wake a thread costs more than most tasks do, and takes the processor from the thread that
 * wakes it. So a serial executor that hands tasks to others wakes these once for several of its own
 * tasks ({@link DeferredWakes}), and no task may wait for one that it handed on. All other threads
 * wake it at once.
 */
final class SerialExecutor implements ExecutionEnvironment.Worker {
  private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);
  private static final Duration LONGEST_END = Duration.ofSeconds(10);

  /** A queue that held more tasks is not used again, since it keeps its memory. */
  private static final int LONG = 1024;

  private final String name;
  private final Object lock = new Object();
  private final Runnable wake = this::wake;
  private Queue<Runnable> waiting = new ArrayDeque<>();
  private @Nullable Loop loop;
  private boolean parked;
  private boolean closed;

  SerialExecutor(String name) {
    this.name = name;
  }

  @Override
  public void execute(Runnable task) {
    Loop sleeper;
    synchronized (lock) {
      if (closed) {
        LOG.trace("Dropping a task: {} is closed", name);
        return;
      }
      waiting.add(task);
      if (loop == null) {
        Loop first = new Loop();
        first.start(); // Fails if there is no room for threads: then the next task tries again.
        loop = first;
      }
      sleeper = parked ? loop : null;
    }
    if (Thread.currentThread() instanceof Loop current) {
      current.onHandedOn(this, sleeper == null ? null : wake);
    } else if (sleeper != null) {
      LockSupport.unpark(sleeper);
    }
  }

  private void wake() {
    Loop sleeper;
    synchronized (lock) {
      sleeper = parked ? loop : null;
    }
    LockSupport.unpark(sleeper);
  }

  /** Runs the tasks already handed in, then ends. */
  @Override
  public void close() {
    Loop ending;
    synchronized (lock) {
      closed = true;
      ending = loop;
    }
    if (Thread.currentThread() instanceof Loop current) {
      current.deferred.wakeAll();
    }
    if (ending == null) {
      return;
    }
    LockSupport.unpark(ending);
    try {
      if (!ending.join(LONGEST_END)) {
        LOG.warn("{} did not stop within 10 s; continuing without it", name);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Loop extends Thread {
    private final DeferredWakes deferred = new DeferredWakes();

    Loop() {
      super(name);
      setDaemon(true);
    }

    void onHandedOn(SerialExecutor taker, @Nullable Runnable wakeTaker) {
      if (taker != SerialExecutor.this) {
        deferred.add(wakeTaker);
      }
    }

    @Override
    public void run() {
      Queue<Runnable> free = new ArrayDeque<>();
      for (Queue<Runnable> tasks = next(free); !tasks.isEmpty(); tasks = next(free)) {
        free = tasks.size() > LONG ? new ArrayDeque<>() : tasks;
        deferred.onBegin(System.nanoTime());
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
          runLogged(task);
          deferred.onTaskEnd(System.nanoTime());
        }
      }
    }

    private void runLogged(Runnable task) {
      try {
        task.run();
      } catch (RuntimeException | Error fault) {
        LOG.error("A task of {} failed; continuing with the next", name, fault);
      }
      Thread.interrupted(); // Meant for that task: the next one may write to a file.
    }

    /**
     * Takes all waiting tasks, or waits for some.
     *
     * @param free an empty queue, for tasks to come
     * @return no tasks once the executor is closed
     */
    private Queue<Runnable> next(Queue<Runnable> free) {
      deferred.wakeAll();
      while (true) {
        synchronized (lock) {
          parked = waiting.isEmpty() && !closed;
          if (!parked) {
            Queue<Runnable> taken = waiting;
            waiting = free;
            return taken;
          }
        }
        LockSupport.park(SerialExecutor.this);
      }
    }
  }
}
