package dev.stint.console.stream;

import java.time.Duration;

/** Tells the thread that writes to a page that something has changed. */
public interface ChangeSignal {
  /** The reason why a wait ended. */
  enum Cause {
    CHANGE,
    /** Nothing happened for a while. */
    SILENCE,
    /** The reader has gone. */
    END
  }

  /** Reports a change. May be called on any thread. */
  void raise();

  /** Reports that the reader has gone. May be called on any thread. */
  void close();

  /** Waits for a change, at most for the given time. */
  Cause await(Duration patience) throws InterruptedException;

  /**
   * Waits for the given time regardless of changes; returns earlier only if the reader has gone.
   */
  void pause(Duration span) throws InterruptedException;
}
