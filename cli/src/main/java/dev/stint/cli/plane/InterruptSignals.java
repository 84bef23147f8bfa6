package dev.stint.cli.plane;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Decides which of several signals is a second Ctrl-C, which kills pods at once. Others, such as
 * timeout(1), signal a process and then its group: both signals ask for one orderly stop.
 */
public final class InterruptSignals {
  private static final Duration APART = Duration.ofSeconds(1);

  /** The time in which nobody presses Ctrl-C twice. */
  private static final Duration AT_ONCE = Duration.ofMillis(100);

  private final InstantSource clock;
  private final boolean terminal;
  private @Nullable Instant stopping;

  /**
   * @param terminal true if a user may press Ctrl-C
   */
  public InterruptSignals(InstantSource clock, boolean terminal) {
    this.clock = clock;
    this.terminal = terminal;
  }

  /** Records that the pods are being stopped from now on. */
  public synchronized void onStop() {
    if (stopping == null) {
      stopping = clock.instant();
    }
  }

  /**
   * True if a signal asks to kill the pods that are being stopped. {@code HUP} never does: several
   * processes may tell of one closed terminal.
   *
   * @param signal such as {@code INT}
   */
  public synchronized boolean isRepeated(String signal) {
    if (stopping == null || signal.equals("HUP")) {
      return false;
    }
    Duration since = Duration.between(stopping, clock.instant());
    boolean typed = terminal && signal.equals("INT");
    return since.compareTo(typed ? AT_ONCE : APART) >= 0;
  }
}
