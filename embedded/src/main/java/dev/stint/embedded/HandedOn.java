package dev.stint.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The executors to which a serial executor has handed tasks, and which it has not woken yet. It
 * wakes them when it has no more tasks of its own, has handed on enough, or has worked for long
 * enough. Used by its thread only.
 */
final class HandedOn {
  /** So many tasks are worth a wake. */
  static final int ENOUGH = 64;

  /** A task of the executor that ends after so long wakes the others. */
  static final Duration LONGEST = Duration.ofMillis(1);

  private final List<Runnable> wakes = new ArrayList<>();
  private int tasks;
  private long since;

  /**
   * Records that a task was handed on.
   *
   * @param wake wakes who has it; the same object for each of its tasks. Null if it is awake
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
   * @param nanos when, by a clock that never goes back and may overflow
   */
  void onTaskEnd(long nanos) {
    if (wakes.isEmpty()) {
      since = nanos;
    } else if (nanos - since > LONGEST.toNanos()) {
      wakeAll();
    }
  }

  void wakeAll() {
    wakes.forEach(Runnable::run);
    wakes.clear();
    tasks = 0;
  }
}
