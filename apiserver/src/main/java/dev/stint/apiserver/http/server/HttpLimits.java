package dev.stint.apiserver.http.server;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Limits that keep clients from harming each other. Those of bytes are shared as {@link
 * SharedBudget} says; what does not fit is answered 429.
 *
 * @param bodyBytes the largest body of a request; larger ones are answered 413
 * @param bodyTime the time in which a body must arrive; later ones are answered 400
 * @param allBodyBytes the memory for all bodies together
 * @param requestBytes the memory for all requests together, from their heads to the ends of their
 *     answers
 * @param answerBytes the memory for all answers that are being sent
 * @param streams the number of responses streamed at once, such as watches
 * @param sessions the number of sessions that take threads of their own, such as {@code exec}
 * @param connections the number of connections. At the limit, those of whoever has most of them are
 *     closed, the oldest first.
 * @param connectionsPerAddress the same for one address; the addresses of this machine have no such
 *     limit
 * @param headTime the time in which a connection must be established and the head of a request must
 *     arrive; later, the connection is closed
 * @param idleTime the time after which a connection without a request is closed, and one whose
 *     client does not read
 */
public record HttpLimits(
    int bodyBytes,
    Duration bodyTime,
    int allBodyBytes,
    long requestBytes,
    long answerBytes,
    int streams,
    int sessions,
    int connections,
    int connectionsPerAddress,
    Duration headTime,
    Duration idleTime) {
  /** The largest object, plus what wraps it. */
  private static final int BODY_BYTES = 3 << 20;

  /**
   * The share of the heap for bodies: a parsed tree takes up to some thirty times as much memory as
   * its text.
   */
  private static final int HEAP_PER_BODIES = 60;

  private static final int HEAP_PER_REQUESTS = 4;
  private static final int HEAP_PER_ANSWERS = 8;

  /** A session may hold two messages of a megabyte. */
  private static final long HEAP_PER_SESSION = 4 << 20;

  private static final int MOST_CONNECTIONS = 20_000;
  private static final int CONNECTIONS_PER_ADDRESS = 8;

  /** Returns limits for this machine, from its memory and this process's limit of open files. */
  public static HttpLimits ofThisMachine() {
    return of(Runtime.getRuntime().maxMemory(), openFiles());
  }

  /**
   * Returns limits for a process.
   *
   * @param heap in bytes
   * @param files the limit of open files; a quarter is reserved for the store, logs and pods
   */
  static HttpLimits of(long heap, long files) {
    int connections = Math.clamp(files / 4 * 3, 16, MOST_CONNECTIONS);
    return new HttpLimits(
        BODY_BYTES,
        Duration.ofMinutes(1),
        Math.clamp(heap / HEAP_PER_BODIES, 2 * BODY_BYTES, 256 << 20),
        heap / HEAP_PER_REQUESTS,
        heap / HEAP_PER_ANSWERS,
        10_000,
        Math.clamp(heap / HEAP_PER_SESSION, 16, 256),
        connections,
        Math.max(16, connections / CONNECTIONS_PER_ADDRESS),
        Duration.ofSeconds(10),
        Duration.ofMinutes(2));
  }

  private static long openFiles() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.UnixOperatingSystemMXBean system
        ? system.getMaxFileDescriptorCount()
        : MOST_CONNECTIONS;
  }

  /** Returns the same limits with another number of connections for each address. */
  public HttpLimits withConnectionsPerAddress(int most) {
    return new HttpLimits(
        bodyBytes,
        bodyTime,
        allBodyBytes,
        requestBytes,
        answerBytes,
        streams,
        sessions,
        connections,
        most,
        headTime,
        idleTime);
  }

  /** Returns the same limits with other times. */
  HttpLimits withTimes(Duration body, Duration head, Duration idle) {
    return new HttpLimits(
        bodyBytes,
        body,
        allBodyBytes,
        requestBytes,
        answerBytes,
        streams,
        sessions,
        connections,
        connectionsPerAddress,
        head,
        idle);
  }
}
