package dev.stint.runner.container;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after the other on the threads of another executor; takes no thread while it is
 * empty.
 */
final class SerialQueue implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(SerialQueue.class);

  private final Executor threads;
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private boolean running;

  SerialQueue(Executor threads) {
    this.threads = threads;
  }

  @Override
  public void execute(Runnable task) {
    synchronized (tasks) {
      tasks.add(task);
      if (running) {
        return;
      }
      running = true;
    }
    threads.execute(this::run);
  }

  private void run() {
    while (true) {
      Runnable task;
      synchronized (tasks) {
        task = tasks.poll();
        if (task == null) {
          running = false;
          return;
        }
      }
      try {
        task.run();
      } catch (RuntimeException fault) {
        LOG.error("A task of the container runtime failed; continuing with the next", fault);
      }
    }
  }
}
