package dev.stint.console;

import java.time.Duration;

/** Wakes the thread that writes to a page. */
interface WakeUp {
  /** The cause of a wake-up. */
  enum Cause {
    NEWS,
    /** Nothing happened for a while. */
    SILENCE,
    /** The reader has gone. */
    END
  }

  /** Signals news. May be called on any thread. */
  void signal();

  /** Signals that the reader has gone. May be called on any thread. */
  void close();

  /** Waits for news, at most for the given time. */
  Cause await(Duration patience) throws InterruptedException;

  /** Waits for the given time regardless of news; returns earlier only if the reader has gone. */
  void pause(Duration span) throws InterruptedException;
}
