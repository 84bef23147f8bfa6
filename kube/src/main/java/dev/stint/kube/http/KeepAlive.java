package dev.stint.kube.http;

import dev.stint.cluster.Timers;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a quiet WebSocket open: proxies end connections on which nothing comes for a while. It asks
 * for a ping again and again, and ends a connection whose server sends nothing, not even a pong.
 *
 * <p>A server reads no pings behind messages that the command does not take yet, and so is silent
 * although all is well. Its output tells nothing about what it has read; only a pong does, since it
 * has the payload of its ping: the number of bytes that were sent before.
 */
final class KeepAlive implements AutoCloseable {
  /** The interval between two pings. */
  static final Duration INTERVAL = Duration.ofSeconds(5);

  /** The time without any frame after which a connection is dead. */
  static final Duration SILENCE = Duration.ofSeconds(60);

  /**
   * The first bytes of messages, which every server takes even if the command takes none. So it
   * reads the pings behind them.
   */
  static final int ALWAYS_TAKEN = 16 << 10;

  private static final long MOST_INTERVALS = SILENCE.dividedBy(INTERVAL);

  private final Timers timers;
  private final Runnable onPing;
  private final Runnable onDead;
  private @Nullable Runnable cancel;
  private boolean isReading;
  private long silentIntervals;
  private long sent;
  private long acknowledged;
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
  }

  /** Records that a message of some bytes is being sent. Frames are recorded in their order. */
  synchronized void onSend(int bytes) {
    sent += bytes;
  }

  /** Returns the payload of a ping that is sent now. */
  synchronized byte[] ping() {
    return ByteBuffer.allocate(Long.BYTES).putLong(sent).array();
  }

  /**
   * Records that the server has read all that was sent before a ping.
   *
   * @param payload the payload of the ping, if the server keeps to the protocol
   */
  synchronized void onPong(byte[] payload) {
    long read = payload.length == Long.BYTES ? ByteBuffer.wrap(payload).getLong() : 0;
    if (read > acknowledged && read <= sent) {
      acknowledged = read;
    }
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
    silentIntervals = isReading && mustAnswer() ? silentIntervals + 1 : 0;
    isDead = silentIntervals >= MOST_INTERVALS;
    if (isDead) {
      return onDead;
    }
    start();
    return onPing;
  }

  /**
   * True if no message keeps the server from reading our pings. What it has read before tells
   * nothing about the next message: the pipe of the command may be full by now.
   */
  private boolean mustAnswer() {
    return acknowledged == sent || sent <= ALWAYS_TAKEN;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (cancel != null) {
      cancel.run();
    }
  }
}
