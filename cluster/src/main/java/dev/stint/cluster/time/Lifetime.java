package dev.stint.cluster.time;

/**
 * Something that tasks and timers belong to, such as a process or a machine. Once it has ended,
 * none of them runs any more.
 */
public final class Lifetime {
  private volatile boolean over;

  public boolean over() {
    return over;
  }

  /** Ends it, also from within one of its own tasks. */
  public void end() {
    over = true;
  }
}
