package dev.stint.runner;

/** Hears of one attempt: at most one {@code started}, then exactly one {@code exited}. */
public interface AttemptListener {
  void started(Started started);

  /** The attempt ended and nothing of it runs; it may never have {@code started}. */
  void exited(Exit exit);
}
