package dev.stint.embedded;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A serial executor on one daemon thread. A task that throws is a bug: it is logged, and the next
 * task runs. Tasks that arrive after the end are dropped.
 */
final class SerialExecutor implements ExecutionEnvironment.Worker {
  private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

  private final String name;
  private final ExecutorService thread;

  SerialExecutor(String name) {
    this.name = name;
    this.thread = Executors.newSingleThreadExecutor(ThreadedEnvironment.named(name));
  }

  @Override
  public void execute(Runnable task) {
    try {
      thread.execute(() -> runLogged(task));
    } catch (RejectedExecutionException ended) {
      LOG.trace("Dropping a task: {} is closed", name);
    }
  }

  private void runLogged(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error fault) {
      LOG.error("A task of {} failed; continuing with the next", name, fault);
    }
  }

  /** Runs the tasks already handed in, then ends. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
        LOG.warn("{} did not stop within 10 s; continuing without it", name);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
