package dev.stint.embedded;

import dev.stint.cluster.Timers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Coalesces short timers: tasks with the same delay share one. Most short timers are cancelled
 * soon, such as those of statuses that wait for newer ones, so that to set each would cost more
 * than its task. Safe for use by several threads.
 */
final class SharedTimers implements Timers {
  /** A cancelled task keeps its place until it would have been due, so that must be soon. */
  static final Duration SHORT = Duration.ofMillis(200);

  private final Timers timers;
  private final LongSupplier nanos;

  /** The tasks of each timer that is set, by their delay, in the order in which they are due. */
  private final Map<Duration, Queue<Waiting>> tasks = new HashMap<>();

  private static final class Waiting {
    private final long due;
    private @Nullable Runnable task;

    Waiting(long due, Runnable task) {
      this.due = due;
      this.task = task;
    }
  }

  /**
   * @param timers those that are shared
   * @param nanos the time that they go by, in nanoseconds; it never goes back, and may overflow
   */
  SharedTimers(Timers timers, LongSupplier nanos) {
    this.timers = timers;
    this.nanos = nanos;
  }

  @Override
  public Runnable after(Duration delay, Runnable task) {
    return delay.isPositive() && delay.compareTo(SHORT) <= 0
        ? afterShort(delay, task)
        : timers.after(delay, task);
  }

  private synchronized Runnable afterShort(Duration delay, Runnable task) {
    Waiting waiting = new Waiting(nanos.getAsLong() + delay.toNanos(), task);
    Queue<Waiting> others = tasks.get(delay);
    if (others == null) {
      timers.after(delay, () -> onTimer(delay));
      others = new ArrayDeque<>();
      tasks.put(delay, others);
    }
    others.add(waiting);
    return () -> take(waiting);
  }

  private synchronized @Nullable Runnable take(Waiting waiting) {
    Runnable task = waiting.task;
    waiting.task = null;
    return task;
  }

  private void run(Waiting waiting) {
    Runnable task = take(waiting);
    if (task != null) {
      task.run();
    }
  }

  private synchronized void onTimer(Duration delay) {
    Queue<Waiting> waiting = Objects.requireNonNull(tasks.get(delay));
    long now = nanos.getAsLong();
    for (Waiting next = waiting.peek(); next != null; next = waiting.peek()) {
      if (next.task != null && next.due - now > 0) {
        timers.after(Duration.ofNanos(next.due - now), () -> onTimer(delay));
        return;
      }
      waiting.remove();
      if (next.task != null) {
        Waiting due = next;
        timers.after(Duration.ZERO, () -> run(due));
      }
    }
    tasks.remove(delay);
  }
}
