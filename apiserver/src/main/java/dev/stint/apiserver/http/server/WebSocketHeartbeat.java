package dev.stint.apiserver.http.server;

import java.nio.ByteBuffer;

/**
 * Finds out whether the client of a quiet WebSocket is still there. A proxy may keep the connection
 * alive for a client that has vanished.
 *
 * <p>A client that is busy or whose user reads slowly does not answer pings either. So silence
 * counts only from a client that has answered a ping after everything that was sent to it, and only
 * while this side reads. Thread-safe.
 */
final class WebSocketHeartbeat {
  /** The number of pings without an answer after which a client has vanished. */
  static final int MOST_UNANSWERED = 3;

  private long sent;
  private boolean current;
  private boolean reading;
  private int unanswered;

  /** Called before a message is sent: from now on the client may be behind. */
  synchronized void onSend() {
    sent++;
    current = false;
    unanswered = 0;
  }

  /** Called when this side begins to wait for the next message. */
  synchronized void onRead() {
    reading = true;
    unanswered = 0;
  }

  /** Called when a message has come; nothing else is read until {@link #onRead}. */
  synchronized void onMessage() {
    reading = false;
    unanswered = 0;
  }

  /** Returns the payload of the next ping. */
  synchronized ByteBuffer ping() {
    unanswered++;
    return ByteBuffer.allocate(Long.BYTES).putLong(0, sent);
  }

  /** Called when a ping is answered. */
  synchronized void onPong(ByteBuffer payload) {
    unanswered = 0;
    current |= payload.remaining() == Long.BYTES && payload.getLong(payload.position()) == sent;
  }

  /** True if the client answers no more, although it has nothing to do but that. */
  synchronized boolean hasStopped() {
    return current && reading && unanswered >= MOST_UNANSWERED;
  }
}
