package dev.stint.cluster.time;

/**
 * The owner of tasks and timers, such as a process or a machine. After its end, none of them runs
 * any more.
 */
public final class Lifetime {
  private volatile boolean over;

  public boolean hasEnded() {
    return over;
  }

  /** Ends the lifetime, also from within one of its own tasks. */
  public void end() {
    over = true;
  }
}
