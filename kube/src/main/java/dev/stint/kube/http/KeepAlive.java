package dev.stint.kube.http;

import dev.stint.cluster.Timers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a quiet WebSocket open: proxies end connections on which nothing comes for a while. It asks
 * for a ping again and again, and ends a connection whose server sends nothing, not even a pong.
 */
final class KeepAlive implements AutoCloseable {
  /** The interval between two pings. */
  static final Duration INTERVAL = Duration.ofSeconds(5);

  /** The time without any frame after which a connection is dead. */
  static final Duration SILENCE = Duration.ofSeconds(60);

  /**
   * The most bytes of messages that every server takes, and so reads the pings behind them. It may
   * read no more while a command does not take its input.
   */
  static final int MOST_UNANSWERED = 16 << 10;

  private static final long MOST_INTERVALS = SILENCE.dividedBy(INTERVAL);

  private final Timers timers;
  private final Runnable onPing;
  private final Runnable onDead;
  private @Nullable Runnable cancel;
  private boolean isReading;
  private long silentIntervals;
  private long unanswered;
  private boolean isDead;
  private boolean closed;

  /**
   * @param onPing sends a ping, and must not block
   * @param onDead ends the connection, and must not block
   */
  KeepAlive(Timers timers, Runnable onPing, Runnable onDead) {
    this.timers = timers;
    this.onPing = onPing;
    this.onDead = onDead;
  }

  /** Begins when the connection is open. */
  synchronized void start() {
    if (!closed) {
      cancel = timers.after(INTERVAL, this::onInterval);
    }
  }

  /**
   * Records whether somebody reads from now on: while nobody does, a server is not silent.
   *
   * @param reading false if what has come is being used
   */
  synchronized void onReading(boolean reading) {
    isReading = reading;
    silentIntervals = 0;
  }

  /** Records a frame from the server, of any kind. */
  synchronized void onFrame() {
    silentIntervals = 0;
    unanswered = 0;
  }

  /** Records that a message of some bytes is being sent. */
  synchronized void onSend(int bytes) {
    unanswered += bytes;
  }

  /** True if the connection was ended because the server sent nothing. */
  synchronized boolean isDead() {
    return isDead;
  }

  private void onInterval() {
    Runnable next = next();
    if (next != null) {
      next.run();
    }
  }

  private synchronized @Nullable Runnable next() {
    if (closed) {
      return null;
    }
    silentIntervals = isReading && unanswered <= MOST_UNANSWERED ? silentIntervals + 1 : 0;
    isDead = silentIntervals >= MOST_INTERVALS;
    if (isDead) {
      return onDead;
    }
    start();
    return onPing;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (cancel != null) {
      cancel.run();
    }
  }
}
