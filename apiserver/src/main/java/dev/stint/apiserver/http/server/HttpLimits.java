package dev.stint.apiserver.http.server;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * What clients may ask for at once, so that none of them harms the others.
 *
 * @param bodyBytes how large a request's body may be; larger ones are answered 413
 * @param bodyTime in which a body must have come; later ones are answered 400
 * @param allBodyBytes how much of all requests that are being answered is held in memory together;
 *     who would go above it is answered 429
 * @param requests how many are answered at once, without those that are still being received; more
 *     are answered 429
 * @param streams how many answers are streamed at once: watches, for one; more are answered 429
 * @param connections how many there are at once. At the limit those that are idle are closed, and
 *     new ones wait.
 */
public record HttpLimits(
    int bodyBytes,
    Duration bodyTime,
    int allBodyBytes,
    int requests,
    int streams,
    int connections) {
  /** As much as any object may have, and what wraps it. */
  private static final int BODY_BYTES = 3 << 20;

  /** A tree of objects takes up to some thirty times as much as the text it is read from. */
  private static final int HEAP_PER_BODIES = 60;

  private static final int MOST_CONNECTIONS = 20_000;

  /** What suits this machine: its memory, and the files that this process may have open. */
  public static HttpLimits ofThisMachine() {
    long bodies = Runtime.getRuntime().maxMemory() / HEAP_PER_BODIES;
    return new HttpLimits(
        BODY_BYTES,
        Duration.ofMinutes(1),
        Math.clamp(bodies, 2 * BODY_BYTES, 256 << 20),
        400,
        10_000,
        connectionsOfThisMachine());
  }

  /** A quarter of the files is for the store, logs and pods. */
  private static int connectionsOfThisMachine() {
    long files =
        ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.UnixOperatingSystemMXBean system
            ? system.getMaxFileDescriptorCount()
            : MOST_CONNECTIONS;
    return Math.clamp(files / 4 * 3, 16, MOST_CONNECTIONS);
  }
}
