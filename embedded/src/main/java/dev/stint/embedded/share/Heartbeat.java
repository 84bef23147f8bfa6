package dev.stint.embedded.share;

import dev.stint.cluster.Timers;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Detects that the peer of a connection is stopped. While something waits for the peer and nothing
 * arrives, it is asked for a sign of life; after more than {@link #MOST_MISSED} intervals it is
 * given up. So this process may be stopped itself, which makes one interval longer: then it still
 * hears what has arrived meanwhile.
 */
final class Heartbeat implements AutoCloseable {
  static final Duration INTERVAL = Duration.ofSeconds(10);
  static final int MOST_MISSED = 3;

  private final Timers timers;
  private final Duration interval;
  private final BooleanSupplier waits;
  private final Runnable ask;
  private final Runnable onSilence;
  private volatile boolean heard;
  private volatile boolean closed;
  private int missed;

  /**
   * @param waits true if something waits for the peer
   * @param ask asks the peer for any message
   * @param onSilence called once, when the peer is given up
   */
  Heartbeat(
      Timers timers, Duration interval, BooleanSupplier waits, Runnable ask, Runnable onSilence) {
    this.timers = timers;
    this.interval = interval;
    this.waits = waits;
    this.ask = ask;
    this.onSilence = onSilence;
  }

  void start() {
    timers.after(interval, this::onInterval);
  }

  /** Called when a message has arrived. */
  void onMessage() {
    heard = true;
  }

  private void onInterval() {
    if (closed) {
      return;
    }
    missed = heard || !waits.getAsBoolean() ? 0 : missed + 1;
    heard = false;
    if (missed > MOST_MISSED) {
      onSilence.run();
    } else {
      if (missed == 1) {
        ask.run();
      }
      start();
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
