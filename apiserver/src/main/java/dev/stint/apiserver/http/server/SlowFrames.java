package dev.stint.apiserver.http.server;

import java.time.Duration;
import org.eclipse.jetty.http2.HTTP2Connection;

/**
 * Finds out whether one frame of an HTTP/2 connection, or the frames of one head, come in small
 * parts for too long. The parser knows when what it reads last began: if more bytes have come since
 * the check before, and nothing else has begun, they belong to that. What stops altogether is idle.
 */
final class SlowFrames {
  private long begun;
  private long bytes;

  /** True if what arrives now began longer ago than the limit. To be called again and again. */
  boolean isLate(HTTP2Connection connection, long now, Duration limit) {
    return isLate(
        connection.getSession().getParser().getBeginNanoTime(),
        connection.getBytesIn(),
        now,
        limit);
  }

  /**
   * The decision.
   *
   * @param begins the time of the last beginning; 0 before the first one
   * @param received the number of bytes that have come so far
   */
  boolean isLate(long begins, long received, long now, Duration limit) {
    boolean goesOn = begins == begun && begins != 0 && received != bytes;
    begun = begins;
    bytes = received;
    return goesOn && now - begins > limit.toNanos();
  }
}
