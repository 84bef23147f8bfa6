package dev.stint.console;

import java.time.Duration;

/** Wakes the thread that writes to a page. */
interface WakeUp {
  /** What woke it. */
  enum Cause {
    NEWS,
    /** Nothing happened for a while. */
    SILENCE,
    /** Nobody reads any more. */
    END
  }

  /** There is something new. From any thread. */
  void raise();

  /** Nobody reads any more. From any thread. */
  void end();

  /** Waits for news, for so long at most. */
  Cause await(Duration patience) throws InterruptedException;

  /** Waits for that long, whatever news there is; less only where nobody reads any more. */
  void rest(Duration span) throws InterruptedException;
}
