package dev.stint.console.stream;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A {@link ChangeSignal} in real time. */
public final class ThreadSignal implements ChangeSignal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean raised;
  private boolean ended;

  @Override
  public void raise() {
    set(false);
  }

  @Override
  public void close() {
    set(true);
  }

  private void set(boolean end) {
    lock.lock();
    try {
      raised = true;
      ended |= end;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Cause await(Duration patience) throws InterruptedException {
    lock.lock();
    try {
      long left = patience.toNanos();
      while (!raised && !ended && left > 0) {
        left = changed.awaitNanos(left);
      }
      Cause cause = ended ? Cause.END : raised ? Cause.CHANGE : Cause.SILENCE;
      raised = false;
      return cause;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void pause(Duration span) throws InterruptedException {
    lock.lock();
    try {
      long left = span.toNanos();
      while (!ended && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
