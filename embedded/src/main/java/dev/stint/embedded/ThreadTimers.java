package dev.stint.embedded;

import dev.stint.cluster.Timers;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Timers on one daemon thread. */
public final class ThreadTimers implements Timers, AutoCloseable {
  private final ScheduledThreadPoolExecutor thread;

  public ThreadTimers() {
    thread = new ScheduledThreadPoolExecutor(1, Threads.named("stint-timers"));
    thread.setRemoveOnCancelPolicy(true);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public Runnable after(Duration delay, Runnable task) {
    if (thread.isShutdown()) {
      return () -> {};
    }
    ScheduledFuture<?> scheduled = thread.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    return () -> scheduled.cancel(false);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
