package dev.stint.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A serial executor on one daemon thread. A task that throws is a bug: it is logged, and the next
 * task runs. Tasks that arrive after the end are dropped.
 *
 * <p>To wake a thread costs more than most tasks do, and takes the processor from the thread that
 * wakes it. So a serial executor that hands tasks on to others wakes these once for several of its
 * own tasks ({@link HandedOn}), and no task may wait for one that it handed on. All other threads
 * wake it at once.
 */
final class SerialExecutor implements ExecutionEnvironment.Worker {
  private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);
  private static final Duration LONGEST_END = Duration.ofSeconds(10);

  private final String name;
  private final Object lock = new Object();
  private final Runnable wake = this::wake;
  private List<Runnable> waiting = new ArrayList<>();
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
        loop = new Loop();
        loop.start();
      }
      sleeper = parked ? loop : null;
    }
    if (Thread.currentThread() instanceof Loop current) {
      current.handedOn.add(sleeper == null ? null : wake);
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
      current.handedOn.wakeAll();
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

  /** The thread. */
  private final class Loop extends Thread {
    private final HandedOn handedOn = new HandedOn();

    Loop() {
      super(name);
      setDaemon(true);
    }

    @Override
    public void run() {
      List<Runnable> free = new ArrayList<>();
      for (List<Runnable> tasks = next(free); tasks != null; tasks = next(free)) {
        for (Runnable task : tasks) {
          runLogged(task);
          handedOn.onTaskEnd(System.nanoTime());
        }
        tasks.clear();
        free = tasks;
      }
    }

    private void runLogged(Runnable task) {
      try {
        task.run();
      } catch (RuntimeException | Error fault) {
        LOG.error("A task of {} failed; continuing with the next", name, fault);
      }
    }

    /**
     * Takes all waiting tasks, or waits for some.
     *
     * @param free the list for tasks to come
     * @return null after the last task
     */
    private @Nullable List<Runnable> next(List<Runnable> free) {
      handedOn.wakeAll();
      while (true) {
        synchronized (lock) {
          parked = waiting.isEmpty() && !closed;
          if (!parked) {
            List<Runnable> taken = waiting;
            waiting = free;
            return taken.isEmpty() ? null : taken;
          }
        }
        LockSupport.park(SerialExecutor.this);
        Thread.interrupted();
      }
    }
  }
}
