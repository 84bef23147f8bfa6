package dev.stint.embedded.share;

import java.time.Duration;

/**
 * The way of a command into a data directory, by the time that it has tried: it takes the lock, or
 * joins the process that has it.
 *
 * @param handedOver true if another process has asked for the directory: then it is to get the lock
 */
public record EntryPolicy(boolean handedOver) {
  /** The way of a command that starts, or whose holder has ended. */
  public static final EntryPolicy OPEN = new EntryPolicy(false);

  /** The pause between two tries. */
  public static final Duration PAUSE = Duration.ofMillis(10);

  /** The time in which a process that holds the directory must begin to serve it. */
  private static final Duration ENTRY_TIMEOUT = Duration.ofSeconds(30);

  /** The time in which a process that has asked for the directory must begin to serve it. */
  private static final Duration SUCCESSION = Duration.ofSeconds(10);

  /** True if this command may take the lock; before, it only joins. */
  public boolean mayTakeLock(Duration tried) {
    return !handedOver || tried.compareTo(SUCCESSION) >= 0;
  }

  /** True if the last try has failed. */
  public boolean isOver(Duration tried) {
    return tried.compareTo(handedOver ? SUCCESSION.plus(ENTRY_TIMEOUT) : ENTRY_TIMEOUT) > 0;
  }
}
