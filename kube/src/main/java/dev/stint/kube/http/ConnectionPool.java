package dev.stint.kube.http;

import dev.stint.cluster.Timers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The connections to an API server. Those that no request uses are kept for the next one, the last
 * one first. While there are any for requests, they are inspected every {@link #INSPECTION}: an
 * unused one is ended after half a minute, since kube-apiserver ends it after 90 seconds, and so is
 * one whose request takes longer than it may. While a request has no answer for a while, its server
 * may have vanished, and others may lead to the same one: they are then kept for no longer than
 * that. Any thread may call it.
 */
final class ConnectionPool implements AutoCloseable {
  /** The interval between two inspections. */
  static final Duration INSPECTION = Duration.ofMillis(1500);

  /** The number of inspections after which a connection that is kept is ended. */
  private static final int KEPT = 20;

  /** The number of inspections after which a request without an answer makes others suspect. */
  private static final int SILENT = 2;

  private final Dialer dialer;
  private final Timers timers;
  private final int inspectionsOfRequest;
  private final Map<Connection, Use> open = new HashMap<>();
  private final Deque<Connection> idle = new ArrayDeque<>();
  private @Nullable Runnable cancelTimer;
  private boolean closed;

  /** The purpose of a connection, and the number of inspections since it has that. */
  private static final class Use {
    final Purpose purpose;
    int inspections;

    Use(Purpose purpose) {
      this.purpose = purpose;
    }

    boolean isSilent() {
      return purpose == Purpose.REQUEST && inspections >= SILENT;
    }
  }

  private enum Purpose {
    REQUEST,
    STREAM,
    /** It is kept for the next request. */
    NONE
  }

  /**
   * @param limit the time that a request may take; it is ended up to an inspection later
   */
  ConnectionPool(Dialer dialer, Timers timers, Duration limit) {
    this.dialer = dialer;
    this.timers = timers;
    this.inspectionsOfRequest =
        Math.ceilDiv(Math.toIntExact(limit.toMillis()), (int) INSPECTION.toMillis()) + 1;
  }

  /** Returns a connection for a request, which is not connected yet. */
  Connection forRequest() throws IOException {
    return create(Purpose.REQUEST);
  }

  /** Returns a connection for an answer that may take any time, which is not connected yet. */
  Connection forStream() throws IOException {
    return create(Purpose.STREAM);
  }

  /**
   * Lets the answer to a request take any time from now on.
   *
   * @throws IOException if the connection was ended
   */
  synchronized void makeStream(Connection connection) throws IOException {
    if (open.replace(connection, new Use(Purpose.STREAM)) == null) {
      throw new IOException("the connection was ended");
    }
  }

  private synchronized Connection create(Purpose purpose) throws IOException {
    if (closed) {
      throw new IOException("the client is closed");
    }
    Connection connection = new Connection(dialer);
    open.put(connection, new Use(purpose));
    schedule();
    return connection;
  }

  /** Takes a connection that is kept, and that the server has not ended; null if there is none. */
  @Nullable Connection takeIdle() {
    for (Kept next = take(); next != null; next = take()) {
      if (next.inspections() == 0 || next.connection().isUsable()) {
        return next.connection();
      }
      remove(next.connection());
    }
    return null;
  }

  private record Kept(Connection connection, int inspections) {}

  private synchronized @Nullable Kept take() {
    Connection next = idle.pollFirst();
    Use former = next == null ? null : open.put(next, new Use(Purpose.REQUEST));
    return former == null ? null : new Kept(next, former.inspections);
  }

  /** Keeps a connection for another request if that is possible; ends it otherwise. */
  void giveBack(Connection connection) {
    if (!keep(connection)) {
      remove(connection);
    }
  }

  private synchronized boolean keep(Connection connection) {
    if (!connection.isReusable() || open.replace(connection, new Use(Purpose.NONE)) == null) {
      return false;
    }
    idle.addFirst(connection);
    return true;
  }

  /** Ends a connection. */
  void remove(Connection connection) {
    synchronized (this) {
      open.remove(connection);
    }
    connection.abort();
  }

  /** Ends all that are kept: where one has turned out to be dead, others are too. */
  void removeIdle() {
    List<Connection> all;
    synchronized (this) {
      all = List.copyOf(idle);
      idle.clear();
    }
    all.forEach(this::remove);
  }

  private void schedule() {
    if (cancelTimer == null && !closed && hasRequests()) {
      cancelTimer = timers.after(INSPECTION, this::inspect);
    }
  }

  private boolean hasRequests() {
    return open.values().stream().anyMatch(use -> use.purpose != Purpose.STREAM);
  }

  private void inspect() {
    List<Connection> overdue = new ArrayList<>();
    List<Connection> unused = new ArrayList<>();
    synchronized (this) {
      cancelTimer = null;
      open.values().forEach(use -> use.inspections++);
      int kept = open.values().stream().anyMatch(Use::isSilent) ? SILENT : KEPT;
      open.forEach((connection, use) -> {
        if (use.purpose == Purpose.REQUEST && use.inspections >= inspectionsOfRequest) {
          overdue.add(connection);
        } else if (use.purpose == Purpose.NONE && use.inspections >= kept) {
          unused.add(connection);
        }
      });
      idle.removeAll(unused);
      open.keySet().removeAll(unused);
      open.keySet().removeAll(overdue);
      schedule();
    }
    overdue.forEach(Connection::abortAsOverdue);
    unused.forEach(Connection::abort);
  }

  /** Ends all connections, also those in use. */
  @Override
  public void close() {
    List<Connection> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(open.keySet());
      open.clear();
      idle.clear();
      if (cancelTimer != null) {
        cancelTimer.run();
      }
    }
    all.forEach(Connection::abort);
  }
}
