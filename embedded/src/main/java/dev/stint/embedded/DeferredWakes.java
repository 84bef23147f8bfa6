package dev.stint.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deferred wake-ups: the executors to which a serial executor has handed tasks while they slept. It
 * wakes them when it has no more tasks of its own, has handed on enough, or has worked for long
 * enough. Used by its thread only.
 */
final class DeferredWakes {
  /** So many tasks are worth a wake. */
  static final int ENOUGH = 64;

  /** A task that ends so long after the last wake-ups makes the next ones. */
  static final Duration LONGEST = Duration.ofMillis(1);

  private final List<Runnable> wakes = new ArrayList<>();
  private int tasks;
  private long since;

  /**
   * Records that the executor begins with the tasks that wait for it.
   *
   * @param nanos the time, by a clock that never goes back and may overflow
   */
  void onBegin(long nanos) {
    since = nanos;
  }

  /**
   * Records that a task was handed to another executor.
   *
   * @param wake wakes that executor; the same object for each of its tasks. Null if it is awake
   */
  void add(@Nullable Runnable wake) {
    tasks++;
    if (wake != null && !wakes.contains(wake)) {
      wakes.add(wake);
    }
    if (tasks >= ENOUGH) {
      wakeAll();
    }
  }

  /**
   * Records that a task of the executor itself has ended.
   *
   * @param nanos the time, by the same clock
   */
  void onTaskEnd(long nanos) {
    if (nanos - since > LONGEST.toNanos()) {
      wakeAll();
      since = nanos;
    }
  }

  void wakeAll() {
    wakes.forEach(Runnable::run);
    wakes.clear();
    tasks = 0;
  }
}
