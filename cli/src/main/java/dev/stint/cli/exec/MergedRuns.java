package dev.stint.cli.exec;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs a task that tells the newest state, once at a time. Any thread may ask for it. However long
 * a run takes, only one more waits for it: that one tells what all others would have told.
 */
final class MergedRuns implements Runnable {
  private final Runnable task;
  private final AtomicBoolean isOwed = new AtomicBoolean();

  MergedRuns(Runnable task) {
    this.task = task;
  }

  /** Runs the task, or leaves that to a thread which waits for its turn. */
  @Override
  public void run() {
    if (!isOwed.getAndSet(true)) {
      runInTurn();
    }
  }

  private synchronized void runInTurn() {
    isOwed.set(false);
    task.run();
  }
}
