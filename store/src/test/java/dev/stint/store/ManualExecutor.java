package dev.stint.store;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Holds tasks until told to run them. */
public final class ManualExecutor implements Executor {
  private final Queue<Runnable> tasks = new ArrayDeque<>();

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  /** Runs the first task; false if there was none. */
  boolean step() {
    Runnable task = tasks.poll();
    if (task != null) {
      task.run();
    }
    return task != null;
  }

  public void runAll() {
    while (step()) {
      // until none is left
    }
  }

  int waiting() {
    return tasks.size();
  }
}
