package dev.stint.apiserver.http.server;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Limits that keep clients from harming each other.
 *
 * @param bodyBytes the largest body of a request; larger ones are answered 413
 * @param bodyTime the time in which a body must arrive; later ones are answered 400
 * @param allBodyBytes the memory for all bodies together; a request that would exceed it is
 *     answered 429
 * @param requests the number answered at once, without those that are still being received; more
 *     are answered 429
 * @param streams the number of responses streamed at once, such as watches; more are answered 429
 * @param connections the number of connections. At the limit, idle ones are closed, and new ones
 *     wait.
 */
public record HttpLimits(
    int bodyBytes,
    Duration bodyTime,
    int allBodyBytes,
    int requests,
    int streams,
    int connections) {
  /** The largest object, plus what wraps it. */
  private static final int BODY_BYTES = 3 << 20;

  /**
   * The share of the heap for bodies: a parsed tree takes up to some thirty times as much memory as
   * its text.
   */
  private static final int HEAP_PER_BODIES = 60;

  private static final int MOST_CONNECTIONS = 20_000;

  /** Returns limits for this machine, from its memory and this process's limit of open files. */
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

  /**
   * Returns the limit of connections; a quarter of the open files is reserved for the store, logs
   * and pods.
   */
  private static int connectionsOfThisMachine() {
    long files =
        ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.UnixOperatingSystemMXBean system
            ? system.getMaxFileDescriptorCount()
            : MOST_CONNECTIONS;
    return Math.clamp(files / 4 * 3, 16, MOST_CONNECTIONS);
  }
}
