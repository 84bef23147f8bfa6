package dev.stint.embedded;

import dev.stint.cluster.Timers;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Timers on one daemon thread. */
public final class ThreadTimers implements Timers, AutoCloseable {
  private static final Duration LONGEST = Duration.ofDays(36500);

  /** The time after which who goes by a clock looks at it again. */
  static final Duration LOOK = Duration.ofSeconds(30);

  private final ScheduledThreadPoolExecutor thread;
  private final SharedTimers shared = new SharedTimers(this::schedule, System::nanoTime);

  public ThreadTimers() {
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            ThreadedEnvironment.named("stint-timers"),
            new ThreadPoolExecutor.DiscardPolicy()); // Tasks that come after the end.
    thread.setRemoveOnCancelPolicy(true);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public Runnable after(Duration delay, Runnable task) {
    return shared.after(delay, task);
  }

  @Override
  public Runnable within(Duration delay, Runnable task) {
    return after(delay.compareTo(LOOK) < 0 ? delay : LOOK, task);
  }

  private Runnable schedule(Duration delay, Runnable task) {
    long nanos = delay.compareTo(LONGEST) < 0 ? delay.toNanos() : LONGEST.toNanos();
    ScheduledFuture<?> scheduled = thread.schedule(task, nanos, TimeUnit.NANOSECONDS);
    return () -> scheduled.cancel(false);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
