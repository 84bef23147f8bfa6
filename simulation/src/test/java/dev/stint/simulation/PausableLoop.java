package dev.stint.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/** A serial executor that does nothing while its process stands still, and forgets nothing. */
final class PausableLoop implements Executor {
  private final Executor executor;
  private final BooleanSupplier paused;
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private int missed;

  PausableLoop(Executor executor, BooleanSupplier paused) {
    this.executor = executor;
    this.paused = paused;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    executor.execute(this::next);
  }

  private void next() {
    if (paused.getAsBoolean()) {
      missed++;
    } else {
      tasks.remove().run();
    }
  }

  /** Does what it has missed. */
  void goOn() {
    for (; missed > 0; missed--) {
      executor.execute(this::next);
    }
  }
}
